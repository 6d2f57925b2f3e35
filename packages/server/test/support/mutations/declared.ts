import { isBinary, isMultipart, type Endpoint } from '@runward/contract';
import type { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from '../sweep/json-schema.ts';
import { nodesOf } from './nodes.ts';

/**
 * Every property that an endpoint declares in its query and body, like `query.limit`, `body.due.offset`,
 * `body.values[].value`.
 */
export function declaredProperties({ query, body }: Endpoint): string[] {
  if (isMultipart(body)) {
    const files = Object.keys(body.files).map((name) => `body.${name}`);
    return [...propertiesOf(query, 'query'), ...propertiesOf(body.fields, 'body'), ...files];
  }
  if (isBinary(body)) return propertiesOf(query, 'query');
  return [...propertiesOf(query, 'query'), ...propertiesOf(body, 'body')];
}

/** Every property that a call has in its query and body, written the same way. */
export function presentProperties({ query, body }: { query: unknown; body: unknown }): string[] {
  const names = (value: unknown, part: string) =>
    nodesOf(value).map(({ way }) =>
      way.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[]` : `${text}.${step}`), part),
    );
  return [...names(query, 'query'), ...names(body, 'body')];
}

function propertiesOf(schema: z.ZodType | undefined, part: string): string[] {
  if (schema === undefined) return [];
  const walk = ({ properties = {}, items, anyOf = [] }: JsonSchema, at: string): string[] => [
    ...Object.entries(properties).flatMap(([name, each]) => [`${at}.${name}`].concat(walk(each, `${at}.${name}`))),
    ...(items ? walk(items, `${at}[]`) : []),
    ...anyOf.flatMap((each) => walk(each, at)),
  ];
  return [...new Set(walk(inputSchemaOf(schema), part))];
}
