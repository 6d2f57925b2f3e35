import { contract, isBinary, isMultipart, type Endpoint } from '@runward/contract';
import test from 'ava';
import { z } from 'zod';

const endpoints = Object.entries(contract).flatMap(([group, table]) =>
  Object.entries(table as Record<string, Endpoint>).map(([name, endpoint]) => ({
    operation: `${group}.${name}`,
    endpoint,
  })),
);

test('every summary is one short line without a period', (t) => {
  for (const { operation, endpoint } of endpoints) {
    t.regex(endpoint.summary, /^[A-Z][^\n;]{0,68}[^.\n]$/, operation);
  }
});

test('every description consists of sentences', (t) => {
  for (const { operation, endpoint } of endpoints) {
    if (endpoint.description !== undefined) t.regex(endpoint.description, /^[`A-Z][^\n]*\.$/, operation);
  }
});

test('every query parameter and every property and file of a request body has a description', (t) => {
  const undescribed = endpoints.flatMap(({ operation, endpoint: { query, body } }) =>
    [
      ...(query ? undescribedIn(query) : []),
      ...(isMultipart(body) ? [...undescribedIn(body.fields), ...undescribedFiles(body.files)] : []),
      ...(body && !isMultipart(body) && !isBinary(body) ? undescribedIn(body) : []),
    ].map((path) => `${operation}: ${path}`),
  );
  t.deepEqual(undescribed, []);
});

function undescribedFiles(files: Readonly<Record<string, { readonly description?: string }>>): string[] {
  return Object.keys(files).filter((name) => !files[name]?.description);
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The paths of the properties without a description, like `values[].value`. */
function undescribedIn(schema: z.ZodType): string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolve = (part: JsonSchema): JsonSchema =>
    part.$ref === undefined ? part : ((root.$defs ?? {})[part.$ref.replace('#/$defs/', '')] ?? {});
  const walk = (part: JsonSchema, path: string): string[] => {
    const here = resolve(part);
    const branches = [...(here.anyOf ?? []), ...(here.allOf ?? [])] as JsonSchema[];
    return [
      ...branches.flatMap((branch) => walk(branch, path)),
      ...(here.items ? walk(here.items as JsonSchema, `${path}[]`) : []),
      ...Object.entries(here.properties ?? {}).flatMap(([name, property]) =>
        ofProperty(property as JsonSchema, path ? `${path}.${name}` : name),
      ),
    ];
  };
  const ofProperty = (property: JsonSchema, path: string): string[] => {
    const within = walk(property, path);
    return (property.description ?? resolve(property).description) ? within : [path, ...within];
  };
  return walk(root, '');
}
