import { z } from 'zod';

/** A JSON schema of an object. */
export type JsonSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** A part of a JSON schema. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * The JSON schema of a tool's input. It has no references, because some applications drop or reject them. Patterns of
 * known formats are left out, because they are long and the service checks them.
 */
export function inputSchemaOf(schema: z.ZodObject): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return { ...(withoutReferences(rest, $defs) as SchemaNode), type: 'object' };
}

/** The schemas that are referred to, in their places. Both descriptions count: that of the place comes first. */
function withoutReferences(node: unknown, defs: SchemaNode): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutReferences(each, defs));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...own } = node as SchemaNode;
  const named = typeof $ref === 'string' ? (defs[$ref.slice('#/$defs/'.length)] as SchemaNode) : {};
  const description = [...new Set([own['description'], named['description']])].filter(Boolean).join(' ');
  const entries = Object.entries({ ...named, ...own, ...(description !== '' && { description }) });
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutReferences(each, defs)]));
}
