import type { FieldValue } from '@runward/contract';
import type { Client, LookupRow } from '@runward/sdk';
import { isId, matching, searchRows } from '@runward/sdk/find';
import type { Prompts } from '../terminal/prompts.ts';
import type { Question } from './ask-field.ts';

/** The chosen row. `row` is null if the user gave an ID or chose no row. */
export interface ChosenRow {
  readonly value: FieldValue;
  readonly row: LookupRow | null;
}

/** Asks for a row of a data source. The user gives its label, a part of any cell, or its ID. */
export async function askRow(
  client: Client,
  prompts: Prompts,
  { field, message, current }: Question,
): Promise<ChosenRow> {
  const check = (text: string) => (field.required && text.trim() === '' ? 'A value is required.' : undefined);
  const initial = typeof current === 'string' ? { initial: current } : {};
  for (let question = message; ;) {
    const text = (await prompts.text(question, { check, ...initial, hint: 'name or ID of a row' })).trim();
    if (text === '' || isId(text)) return { value: text === '' ? null : text, row: null };
    const rows = await searchRows(client, field, text);
    const same = matching(rows, text, ({ label }) => [label]);
    const row = same.length === 1 ? same[0] : await chooseRow(prompts, message, rows);
    if (row) return { value: row.id, row };
    question = `${message} (no row for "${text}")`;
  }
}

async function chooseRow(prompts: Prompts, message: string, rows: readonly LookupRow[]) {
  if (rows.length === 0) return undefined;
  const again = { value: '', label: '(another one)' };
  const chosen = await prompts.choice(message, [...rows.map(({ id, label }) => ({ value: id, label })), again]);
  return rows.find(({ id }) => id === chosen);
}
