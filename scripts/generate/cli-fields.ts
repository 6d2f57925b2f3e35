import { contract, recordOf, routesOf } from '@runward/contract';
import { z } from 'zod';
import { entries, type GeneratedFile } from './generated-file.ts';
import { endpointOf } from './operations.ts';

const operations = Object.entries(routesOf({ ...contract }))
  .filter(([, { returns }]) => returns === 'json' || returns === 'list')
  .map(([operation]) => operation);

const fields = {
  ...Object.fromEntries(operations.map((operation) => [modelOf(operation), fieldsOf(recordOf(endpointOf(operation)))])),
  // What `runs get` requests leaves the entries out.
  RunTask: fieldsOf(contract.runs.get.response.shape.tasks.element.omit({ entries: true })),
};

/** The field names of operation results, for the command line. */
export const cliFields: GeneratedFile = {
  path: 'packages/cli/src/generated/fields.ts',
  code: `/** The fields of what operations return, by its model. */
export const fields = {
${entries(fields)}
} as const satisfies Readonly<Record<string, readonly string[]>>;
`,
};

/** The model of the record that an operation returns, or of the records in its list, like `Run`. */
export function modelOf(operation: string): string {
  const { id } = recordOf(endpointOf(operation))?.meta() ?? {};
  if (id === undefined) throw new Error(`The response of ${operation} has no id; give its schema one with .meta().`);
  return id;
}

/** The properties of an object; for a union, of its first option. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodUnion) return fieldsOf(schema.options[0] as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
