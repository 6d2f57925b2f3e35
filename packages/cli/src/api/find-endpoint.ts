import { contract, parameterNames, parametersOf, type Endpoint, type Method } from '@runward/contract';

/** An endpoint of the contract that a method and a path lead to. */
export interface FoundEndpoint {
  /** Its name in the SDK, like `runs.get`. */
  readonly operation: string;
  readonly endpoint: Endpoint;
  /** The path parameters, decoded, in the order of the path. */
  readonly params: readonly string[];
}

/**
 * The endpoint for a method and a path without a query. Null if the contract has none, for example because the server
 * is newer.
 */
export function findEndpoint(method: Method, path: string): FoundEndpoint | null {
  const matches = endpoints()
    .filter(({ endpoint }) => endpoint.method === method)
    .flatMap(({ operation, endpoint }): FoundEndpoint[] => {
      const params = match(endpoint.path, path);
      return params ? [{ operation, endpoint, params }] : [];
    })
    // A literal segment is more specific than a parameter.
    .toSorted((one, other) => one.params.length - other.params.length);
  return matches.find(hasValidParams) ?? matches[0] ?? null;
}

function endpoints(): { operation: string; endpoint: Endpoint }[] {
  return Object.entries(contract).flatMap(([group, table]) =>
    Object.entries<Endpoint>(table).map(([name, endpoint]) => ({ operation: `${group}.${name}`, endpoint })),
  );
}

function match(pattern: string, path: string): string[] | null {
  const expected = pattern.split('/');
  const given = path.split('/');
  if (expected.length !== given.length) return null;
  const params: string[] = [];
  for (const [index, segment] of expected.entries()) {
    const text = given[index] ?? '';
    if (parameterNames(`/${segment}`).length > 0) params.push(decode(text));
    else if (segment !== text) return null;
  }
  return params;
}

function hasValidParams({ endpoint, params }: FoundEndpoint): boolean {
  return [...parametersOf(endpoint).values()].every((schema, index) => schema.safeParse(params[index]).success);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
