import { operations, toolName } from './operations.ts';

/** The names of the tools, by method and path. */
const byEndpoint = new Map(
  operations.map(({ name, endpoint: { method, path } }) => [withoutParameters(`${method} ${path}`), toolName(name)]),
);

/**
 * A text of the API, in which endpoints like `GET /users` are replaced by their tools. The end of a sentence that only
 * points to an endpoint without a tool is left out. `offered` are the names of the tools that there are.
 */
export function nameTools(text: string, offered: ReadonlySet<string>): string {
  const toolOf = (endpoint: string) => {
    const tool = byEndpoint.get(withoutParameters(endpoint));
    return tool !== undefined && offered.has(tool) ? tool : undefined;
  };
  return text
    .replaceAll(/`?\b((?:GET|POST|PUT|PATCH|DELETE) \/[\w:/-]+)`?/g, (all, endpoint: string) => toolOf(endpoint) ?? all)
    .replaceAll(/; see (?:GET|POST) \/[\w:/-]+$/gm, '');
}

function withoutParameters(endpoint: string): string {
  return endpoint.replaceAll(/\/(?::\w+|[0-9a-f-]{36})(?=\/|$)/g, '/:');
}
