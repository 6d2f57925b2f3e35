import type { Field, FieldValue } from '@runward/sdk';
import { findRowId, isId } from '@runward/sdk/find';
import { findRecordId } from '../lookup/find.ts';
import type { ToolContext } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

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
      return findRecordId(context, 'member', value);
    case 'DATA_SOURCE':
      return rowId(context, field, value);
    default:
      return value;
  }
}

function optionKey({ options }: Field, text: string): string {
  const wanted = text.trim().toLowerCase();
  const found = options.find(({ key }) => key === text) ?? options.find(({ label }) => label.toLowerCase() === wanted);
  return found?.key ?? text;
}

async function rowId({ client, scopes }: ToolContext, field: Field, text: string): Promise<string> {
  if (!isId(text) && field.dataSource && !scopes.has('data-sources:read')) {
    throw new ToolError(
      `"${field.label}": the API key lacks the scope data-sources:read. Use the id of the row instead of "${text}".`,
    );
  }
  return findRowId(client, field, text);
}
