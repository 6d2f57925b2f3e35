import { z } from 'zod';

/** A JSON schema of an object. */
export type JsonSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/**
 * The JSON schema of a tool's input. Patterns of known formats are left out, because they are long and the service
 * checks them.
 */
export function inputSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return { ...rest, type: 'object' };
}
