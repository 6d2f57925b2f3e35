import type { Client } from '../client-type.ts';
import { parseValue } from '../form/read-value.ts';
import type { SearchableField } from '../generated/runs.ts';
import type { RunValueFilter } from '../generated/saved-views.ts';
import { choose, type Naming } from './choose.ts';
import { FindError } from './find-error.ts';
import { findId } from './find.ts';

const noun = 'searchable field';

const naming: Naming<SearchableField> = {
  noun,
  relation: 'is called',
  idOf: sourceOf,
  namesOf: ({ name, variable }) => (variable === null || variable === name ? [name] : [name, variable]),
  detailOf: ({ templateName }) => templateName,
  areFew: true,
};

/** The operators that a sign can stand for, in the order of preference, by the signs of conditions. */
const signs = {
  '=': ['EQUALS', 'CONTAINS'],
  '~': ['CONTAINS'],
  '>': ['GREATER_THAN', 'AFTER'],
  '<': ['LESS_THAN', 'BEFORE'],
  '>=': ['GREATER_OR_EQUAL'],
  '<=': ['LESS_OR_EQUAL'],
} as const;

/**
 * Reads conditions on values of runs as people write them: the name of a searchable field or flow variable, a sign and
 * a value, like `Amount>10000`, `Supplier~acme` (contains) or `Due=2026-03-01`. `Supplier=` means without a value, and
 * `Supplier~` with any. `templateIds` limits the templates whose fields can be meant.
 *
 * @throws FindError if a text is no condition, no field has the name, or several have it
 */
export async function findValueFilters(
  client: Client,
  texts: readonly string[],
  templateIds: readonly string[] = [],
): Promise<RunValueFilter[]> {
  const filters: RunValueFilter[] = [];
  if (texts.length === 0) return filters;
  const all = await Array.fromAsync(client.runs.searchableFields());
  const inTemplates = all.filter(({ templateId }) => templateIds.length === 0 || templateIds.includes(templateId));
  const fields = [...new Map(inTemplates.map((field) => [sourceOf(field), field])).values()];
  for (const text of texts) filters.push(await filterOf(client, fields, text));
  return filters;
}

/** A flow variable of several templates is one source: its key. */
function sourceOf({ fieldId, variable }: SearchableField): string {
  return fieldId ?? `$${variable}`;
}

async function filterOf(client: Client, fields: readonly SearchableField[], text: string): Promise<RunValueFilter> {
  const [, name = '', sign = '', given = ''] = /^\s*(.+?)\s*(>=|<=|=|~|>|<)\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === '')
    throw rejected(`"${text}" is no condition; write a name, one of = ~ > < >= <=, and a value, like "Amount>10000".`);
  const field = choose(fields, name, naming);
  const place = field.fieldId === null ? { variable: field.variable ?? '' } : { fieldId: field.fieldId };
  if (given === '' && sign === '=') return { ...place, operator: 'IS_EMPTY' };
  if (given === '' && sign === '~') return { ...place, operator: 'IS_NOT_EMPTY' };
  const operator = signs[sign as keyof typeof signs].find((each) => field.operators.includes(each));
  if (operator === undefined)
    throw rejected(`"${sign}" does not compare "${field.name}", which is a ${field.type}; use ${signsFor(field)}.`);
  return { ...place, operator, value: await valueOf(client, field, given) };
}

/** A text that does not fit stays a text: the service says what is wrong with it. */
async function valueOf(client: Client, { type }: SearchableField, text: string): Promise<string | number | boolean> {
  if (type === 'USER') return findId(client, 'member', text);
  const value = parseValue({ type }, text);
  return value === null || Array.isArray(value) ? text : value;
}

function signsFor({ operators }: SearchableField): string {
  const fitting = Object.entries(signs).filter(([, names]) => names.some((name) => operators.includes(name)));
  return fitting.map(([sign]) => sign).join(' ');
}

function rejected(message: string): FindError {
  return new FindError({ noun, reason: 'invalid', messages: [message], suggests: true });
}
