import { isMultipart, type Endpoint } from '@runward/contract';
import { z } from 'zod';
import type { Schema } from './sdk/document.ts';

/** The kind of an option's value, by the property name without `Id` or `Ids`. */
const kinds: Readonly<Record<string, string>> = {
  against: 'version',
  approver: 'member',
  assignee: 'member',
  assigneeGroup: 'group',
  column: 'column',
  dataSource: 'dataSource',
  folder: 'folder',
  group: 'group',
  owner: 'member',
  ownerUser: 'member',
  phase: 'phase',
  run: 'run',
  targetTask: 'templateTask',
  task: 'templateTask',
  template: 'template',
  templateVersion: 'version',
  user: 'member',
  webhook: 'webhook',
};

/** The same for records without names, of which the flag keeps the `Id`. */
export const idKinds: Readonly<Record<string, string>> = {
  executionEntry: 'entry',
  fromRow: 'row',
  row: 'row',
  rule: 'templateRule',
  runTask: 'runTask',
  runTaskField: 'runTaskField',
  toRow: 'row',
};

/** What a list returns page by page. */
const paging = new Set(['limit', 'cursor']);

/**
 * The options for the query of an endpoint; undefined if it has none. Lists have `--limit` and `--all` instead of
 * paging options.
 */
export function queryOptions({ query }: Endpoint) {
  if (!query) return undefined;
  const isList = 'cursor' in query.shape;
  return optionsOf(query).filter(({ name }) => !isList || !paging.has(name));
}

/** The options for the body of an endpoint; undefined if it has none. */
export function bodyOptions({ body }: Endpoint) {
  if (!body) return undefined;
  if (isMultipart(body)) {
    const files = Object.entries(body.files).map(([name, { description = 'file to send' }]) => {
      return { name, type: 'file', description: oneSentence(description), required: true };
    });
    return [...files, ...optionsOf(body.fields)];
  }
  return optionsOf(body as z.ZodType);
}

/** The schema of an object as JSON Schema, without a reference at its top level. */
export function jsonSchema(schema: z.ZodType): { readonly root: Schema; resolve(part: Schema): Schema } {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema & {
    readonly $defs?: Readonly<Record<string, Schema>>;
  };
  const resolve = (part: Schema): Schema => {
    const { $ref, ...own } = part;
    return $ref === undefined ? part : { ...resolve((whole.$defs ?? {})[$ref.replace('#/$defs/', '')] ?? {}), ...own };
  };
  return { root: resolve(whole), resolve };
}

/** Options in the form of `packages/cli/src/operations/operation.ts`. The compiler checks the generated code. */
function optionsOf(schema: z.ZodType) {
  const { root, resolve } = jsonSchema(schema);
  const { properties = {}, required = [] } = root;
  const toOption = (name: string, property: Schema) => {
    const value = withoutNull(resolve(property), resolve);
    const kind = kinds[baseOf(name)] ?? idKinds[baseOf(name)];
    return {
      name,
      ...typeOf(value, resolve),
      description: oneSentence(resolve(property).description ?? ''),
      ...(required.includes(name) && { required: true }),
      ...(kind && (name !== baseOf(name) || name === 'against') && { kind }),
    };
  };
  return Object.entries(properties).map(([name, property]) => toOption(name, property));
}

/** The name of a property without `Id` or `Ids`. */
export function baseOf(name: string): string {
  return name.replace(/Ids?$/, '');
}

function withoutNull(schema: Schema, resolve: (part: Schema) => Schema): Schema {
  const others = schema.anyOf?.map(resolve).filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
}

function typeOf(
  schema: Schema,
  resolve: (part: Schema) => Schema,
): { readonly type: string; readonly choices?: readonly string[]; readonly repeatable?: true } {
  const { type, enum: choices } = schema;
  if (choices?.every((choice) => typeof choice === 'string')) return { type: 'string', choices };
  if (type === 'string' || type === 'boolean') return { type };
  if (type === 'integer' || type === 'number') return { type: 'number' };
  if (type !== 'array' || !schema.items) return { type: 'json' };
  const item = typeOf(resolve(schema.items), resolve);
  return item.type === 'json' || item.repeatable ? { type: 'json' } : { ...item, repeatable: true };
}

/**
 * The first sentence of a description, for one line of help. If a description explains values, like `PUBLIC:
 * everyone.`, all its sentences.
 */
function oneSentence(text: string): string {
  return (/^.*?[^.]\.(?= (?![A-Z_]+:)[A-Z`\d])/s.exec(text)?.[0] ?? text).replace(/\.$/, '').replaceAll('`', '');
}
