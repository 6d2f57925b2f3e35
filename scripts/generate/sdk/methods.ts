import {
  argumentNames,
  contract,
  deprecationText,
  routesOf,
  statusOf,
  type Access,
  type Endpoint,
} from '@runward/contract';
import { endpointOf } from '../operations.ts';
import { comment } from './comment.ts';
import { operationOf, schemaOf, type Operation, type Schema } from './document.ts';
import { exampleOf } from './example.ts';
import { typeOf } from './schema.ts';
import { synonyms } from './synonyms.ts';

const routes = routesOf({ ...contract });

/** The SDK classes for error statuses; the others have `ApiError`. */
const errorClasses: Readonly<Record<string, string>> = {
  400: 'ValidationError',
  401: 'AuthenticationError',
  402: 'FeatureLockedError',
  403: 'PermissionError',
  404: 'NotFoundError',
  412: 'PreconditionFailedError',
  429: 'RateLimitError',
  500: 'ServerError',
  503: 'ServerError',
  507: 'ServerError',
};

/** A parameter of a method. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly description?: string | undefined;
}

/** The query of an operation as an object type, named after it: `RunsListQuery`. Undefined if it has none. */
export function queryOf(id: string): { readonly name: string; readonly schema: Schema } | undefined {
  const parameters = (operationOf(id).parameters ?? []).filter((each) => each.in === 'query');
  if (parameters.length === 0) return undefined;
  const schema = {
    description: `The query of \`${id}\`.`,
    properties: Object.fromEntries(parameters.map((each) => [each.name, withText(each.schema, each.description)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return { name: `${pascalCase(id)}Query`, schema };
}

/** The method of an operation, with its documentation. */
export function methodOf(id: string): string {
  const operation = operationOf(id);
  const taken = argumentsOf(id, operation);
  const text = describe(endpointOf(id), [
    ...taken.flatMap(({ name, description }) => (description ? [`@param ${name} ${description}`] : [])),
    errorsOf(operation),
  ]);
  const example = exampleFor(id, operation);
  const doc = comment(`${text}${example === '' ? '' : `\n@example\n${example}`}`);
  const parameters = taken.map(({ name, isOptional, type }) => `${name}${isOptional ? '?' : ''}: ${type}`);
  return `${doc}${id.replace(/^.*\./, '')}(${parameters.join(', ')}): ${resultOf(id, operation)};`;
}

/** What the documentation of a method says, followed by tags. */
export function describe(
  { summary, description, access, deprecated }: Pick<Endpoint, 'summary' | 'description' | 'access' | 'deprecated'>,
  tags: readonly string[],
): string {
  const all = deprecated === undefined ? tags : [...tags, `@deprecated ${deprecationText(deprecated)}`];
  return [`${summary}.`, description, accessText(access), all.join('\n')].filter(Boolean).join('\n\n');
}

/** `templates.tasks` becomes `TemplatesTasks`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function argumentsOf(id: string, operation: Operation): Argument[] {
  const { parameters = [], requestBody } = operation;
  const path = parameters.filter((each) => each.in === 'path');
  const body = schemaOf(requestBody);
  const query = queryOf(id);
  const takes = (header: string) => parameters.some(({ $ref }) => $ref?.endsWith(`/${header}`));
  return [
    ...argumentNames(endpointOf(id).path).map((name, index) => ({
      name,
      type: 'string',
      description: path[index]?.description,
    })),
    ...(body
      ? [{ name: 'body', type: withSynonyms(id, typeOf(body)), isOptional: requestBody?.required !== true }]
      : []),
    ...(query
      ? [{ name: 'query', type: withSynonyms(id, query.name), isOptional: query.schema.required?.length === 0 }]
      : []),
    { name: 'options', type: optionsOf(takes), isOptional: true },
  ];
}

/** The options of a method, by the headers that its operation takes. */
function optionsOf(takes: (header: string) => boolean): string {
  if (takes('IfMatch')) return 'VersionedWriteOptions';
  return takes('MaxStale') ? 'StaleReadOptions' : 'RequestOptions';
}

/** A type that also takes the words of the SDK; see {@link synonyms}. */
function withSynonyms(id: string, type: string): string {
  const others = Object.entries(synonyms[id] ?? {}).map(([to, from]) => `Renamed<${type}, '${from}', '${to}'>`);
  return [type, ...others].join(' | ');
}

function resultOf(id: string, operation: Operation): string {
  const { returns } = routes[id] ?? {};
  if (returns === undefined) return 'Call<undefined>';
  if (typeof returns === 'object') return 'Call<Download>';
  return `${returns === 'list' ? 'List' : 'Call'}<${typeOf(successOf(id, operation))}>`;
}

function successOf(id: string, { responses }: Operation): Schema {
  return schemaOf(responses[statusOf(endpointOf(id))]) ?? {};
}

function exampleFor(id: string, operation: Operation): string {
  const { returns } = routes[id] ?? {};
  const model = returns === 'json' ? typeOf(successOf(id, operation)) : 'Download';
  return exampleOf({
    operation: id,
    path: argumentNames(endpointOf(id).path),
    hasBody: operation.requestBody?.required === true,
    query: [...(queryOf(id)?.schema.required ?? [])],
    result: returns === undefined ? null : model.charAt(0).toLowerCase() + model.slice(1),
    isList: returns === 'list',
  });
}

function errorsOf({ responses }: Operation): string {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400);
  return `@throws ${statuses.map((status) => `${errorClasses[status] ?? 'ApiError'} (${status})`).join(', ')}`;
}

/** What a caller needs to have. */
export function accessText(access: Access): string {
  if (access === 'public') return 'Needs no API key.';
  return access === 'authenticated' ? 'Every API key may call it.' : `Scope: \`${access}\`.`;
}

function withText(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}
