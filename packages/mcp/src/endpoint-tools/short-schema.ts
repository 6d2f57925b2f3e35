import type { JsonSchema, SchemaNode } from '../json-schema.ts';

/** The arguments, and the properties of the body. What is deeper is an object. */
const levels = 2;

/**
 * A schema as short as a list of all tools needs it: the names of the arguments and of the properties of the body,
 * their types, their values if they are listed, and which are required. It has no descriptions and no bounds, so that
 * it accepts everything that the whole schema accepts.
 */
export function shortSchema(schema: JsonSchema): JsonSchema {
  return { ...shorten(schema, levels), type: 'object' };
}

function shorten(node: SchemaNode, left: number): SchemaNode {
  const again = (each: unknown, rest = left) => shorten(each as SchemaNode, rest);
  const { enum: values, const: value, type, format, items } = node;
  if (values !== undefined) return { enum: values };
  if (value !== undefined) return { const: value };
  const options = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(options)) return oneOf(options.map((each) => again(each)));
  // OpenAI and VS Code reject all tools if the items of one list are not described.
  if (type === 'array') return { type, items: again(items ?? {}) };
  if (type !== 'object') return { ...(type !== undefined && { type }), ...(isTold(format) && { format }) };
  const properties = Object.entries((node['properties'] ?? {}) as Readonly<Record<string, SchemaNode>>);
  if (left === 0 || properties.length === 0) return { type };
  const required = node['required'] as readonly string[] | undefined;
  return {
    type,
    properties: Object.fromEntries(properties.map(([name, each]) => [name, again(each, left - 1)])),
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

/** Ids are known by their names. */
function isTold(format: unknown): boolean {
  return format !== undefined && format !== 'uuid';
}

/** What fits one of these: one node if it can be said in one. */
function oneOf(options: readonly SchemaNode[]): SchemaNode {
  const different = [...new Map(options.map((each) => [JSON.stringify(each), each])).values()];
  const [only] = different;
  if (only && different.length === 1) return only;
  const [isNull, others] = [different.some(isNullNode), different.filter((each) => !isNullNode(each))];
  const [other] = others;
  if (isNull && other && others.length === 1) {
    if (Array.isArray(other['enum'])) return { enum: [...(other['enum'] as unknown[]), null] };
    if (typeof other['type'] === 'string') return { ...other, type: [other['type'], 'null'] };
  }
  const isPlain = different.every((each) => Object.keys(each).length === 1 && typeof each['type'] === 'string');
  return isPlain ? { type: different.map((each) => each['type']) } : { anyOf: different };
}

function isNullNode({ type }: SchemaNode): boolean {
  return type === 'null';
}
