import { z } from 'zod';

/** A JSON schema of the contract, as far as tests walk it. */
export interface JsonSchema {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON schema of what clients send. Components are written out. */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  const before = known.get(schema);
  if (before) return before;
  // Without the names of components, which would become references.
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() }) as JsonSchema;
  known.set(schema, json);
  return json;
}
