import { contract, routesOf } from '@runward/contract';
import { z } from 'zod';
import { jsonSchema } from './cli-options.ts';
import { entries, type GeneratedFile } from './generated-file.ts';
import { endpointOf } from './operations.ts';
import type { Schema } from './sdk/document.ts';

const operations = Object.entries(routesOf({ ...contract }))
  .filter(([, { returns }]) => returns === 'json' || returns === 'list')
  .map(([operation]) => operation);

const models = {
  ...Object.fromEntries(operations.map((operation) => [modelOf(operation), recordOf(operation)])),
  // What `runs get` requests leaves the entries out.
  RunTask: contract.runs.get.response.shape.tasks.element.omit({ entries: true }),
};

const fields = Object.fromEntries(Object.entries(models).map(([model, schema]) => [model, fieldsOf(schema)]));

const parts = Object.fromEntries(Object.entries(models).flatMap(([model, schema]) => partsOf(model, schema)));

/** The field names of operation results, for the command line. */
export const cliFields: GeneratedFile = {
  path: 'packages/cli/src/generated/fields.ts',
  code: `/** The fields of what operations return, by its model. */
export const fields = {
${entries(fields)}
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The fields of the parts of models, by their paths. \`*\` is any name: the keys are data, or the part contains itself. */
export const parts: Readonly<Record<string, readonly string[]>> = {
${entries(parts)}
};
`,
};

/** The model of the record that an operation returns, or of the records in its list, like `Run`. */
export function modelOf(operation: string): string {
  const { id } = recordOf(operation).meta() ?? {};
  if (id === undefined) throw new Error(`The response of ${operation} has no id; give its schema one with .meta().`);
  return id;
}

/** The schema of the record that an operation returns, or of the records in its list. */
export function recordOf(operation: string): z.ZodType {
  const { response } = endpointOf(operation);
  if (response instanceof z.ZodObject) {
    const { data } = response.shape as Record<string, z.ZodType>;
    return data instanceof z.ZodArray ? (data.element as z.ZodType) : response;
  }
  return response as z.ZodType;
}

/** The properties of an object; for a union, of its first option. */
function fieldsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodUnion) return fieldsOf(schema.options[0] as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The fields of each object below a record, by its path. Those of a union are the fields of all its options. */
function partsOf(model: string, schema: z.ZodType): [path: string, names: readonly string[]][] {
  const { root, resolve } = jsonSchema(schema);
  const found = new Map<string, readonly string[]>();
  const add = (path: string, names: readonly string[]) =>
    found.set(path, [...new Set([...(found.get(path) ?? []), ...names])]);
  const visit = (path: string, reference: Schema, above: readonly Schema['properties'][]): void => {
    const { type, anyOf, oneOf, items, properties = {}, additionalProperties, ...others } = resolve(reference);
    if (above.includes(properties)) return void add(path, ['*']);
    const isAnything = !type && !anyOf && !oneOf && !others.enum && !('const' in others);
    if (additionalProperties || isAnything) add(path, ['*']);
    for (const option of anyOf ?? oneOf ?? (items ? [items] : [])) visit(path, option, above);
    if (type === 'object') add(path, Object.keys(properties));
    for (const [name, part] of Object.entries(properties)) visit(`${path}.${name}`, part, [...above, properties]);
  };
  visit(model, root, []);
  found.delete(model);
  return [...found];
}
