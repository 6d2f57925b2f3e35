import { isBinary, isMultipart, type Endpoint } from '@runward/contract';
import { inputSchemaOf, type JsonSchema } from '../sweep/json-schema.ts';
import type { Way } from './nodes.ts';

/**
 * What the contract says about a place in the query or the body of an endpoint, as a text: the last name on the way to
 * it and the JSON schemas that can apply there. Places with the same text are checked alike, in whatever endpoint they
 * are. Null where no schema applies.
 */
export function schemaAt({ query, body }: Endpoint, part: 'query' | 'body', way: Way): string | null {
  const schema = part === 'query' ? query : isMultipart(body) ? body.fields : isBinary(body) ? undefined : body;
  if (schema === undefined) return null;
  const found = way.reduce<readonly JsonSchema[]>(
    (at, step) => at.flatMap((each) => below(each, step)),
    [inputSchemaOf(schema)],
  );
  return found.length === 0 ? null : JSON.stringify([part, way.findLast((step) => typeof step === 'string'), found]);
}

function below(
  { properties, items, anyOf = [], oneOf = [], allOf = [] }: JsonSchema,
  step: string | number,
): JsonSchema[] {
  const own = typeof step === 'number' ? items : properties?.[step];
  return [...(own ? [own] : []), ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => below(each, step))];
}
