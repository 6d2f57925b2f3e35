import type { Field, FieldValue } from '@runward/sdk';
import { choose } from '../lookup/choose.ts';
import { isId } from '../lookup/ids.ts';
import { findMemberId } from '../lookup/people.ts';
import type { ToolContext } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

/** How many rows that contain a label are compared with it. */
const maximumRows = 50;

/**
 * A value as its field takes it: options, members and rows may be given by what people see. What does not fit is returned as it is, and
 * rejected by the service.
 *
 * @throws ToolError if no row or member fits, or several do
 */
export async function readValue(context: ToolContext, field: Field, value: FieldValue): Promise<FieldValue> {
  if (Array.isArray(value)) return field.type === 'MULTI_SELECT' ? value.map((each) => optionKey(field, each)) : value;
  if (typeof value !== 'string') return value;
  switch (field.type) {
    case 'NUMBER':
      return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
    case 'CHECKBOX':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'DROPDOWN':
      return optionKey(field, value);
    case 'MULTI_SELECT':
      return [optionKey(field, value)];
    case 'USER':
      return findMemberId(context, value);
    case 'DATA_SOURCE':
      return findRowId(context, field, value);
    default:
      return value;
  }
}

function optionKey({ options }: Field, text: string): string {
  const wanted = text.trim().toLowerCase();
  const found = options.find(({ key }) => key === text) ?? options.find(({ label }) => label.toLowerCase() === wanted);
  return found?.key ?? text;
}

async function findRowId(
  { client, scopes }: ToolContext,
  { id, label, dataSource }: Field,
  text: string,
): Promise<string> {
  if (isId(text) || !dataSource) return text;
  if (!scopes.has('data-sources:read')) {
    throw new ToolError(
      `"${label}": the API key lacks the scope data-sources:read. Use the id of the row instead of "${text}".`,
    );
  }
  const query = { templateFieldId: id, search: text.trim().slice(0, 200), limit: maximumRows };
  const { data } = await client.dataSources.lookup(dataSource.dataSourceId, query);
  return choose(data, {
    kind: 'row',
    text,
    nameOf: (row) => row.label,
    show: (row) => `${row.id}  ${row.label}`,
    remedy: `"${label}" takes a row of its data source, by its label or id.`,
  }).id;
}
