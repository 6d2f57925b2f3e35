import type { Field, FieldValue } from '@runward/contract';
import { holdsFiles } from '@runward/engine';
import type { Client } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { membersIfAllowed, type Member } from '../lookup/member.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { askField, messageOf } from './ask-field.ts';
import { askFiles } from './ask-files.ts';
import { askRow } from './ask-row.ts';
import { visibleFields } from './form-field.ts';
import type { Form } from './load-form.ts';
import { submitAnswers, type Answers, type Filled } from './submit-form.ts';

/**
 * Asks for all fields of a form that are visible, and submits what is entered. Before a field that rules can show or hide, what was entered
 * so far is submitted, so that exactly the fields are asked for that are visible with these values. Nothing is left for the completion: if it is
 * rejected, nothing has to be entered again.
 */
export async function askForm(cli: Cli, client: Client, prompts: Prompts, form: Form): Promise<Filled> {
  const isUser = ({ type }: Field) => type === 'USER';
  const members = form.fields.some(isUser) ? await membersIfAllowed(client) : null;
  const asked = new Set<string>();
  let current = form;
  for (;;) {
    const next = visibleFields(current).filter(({ id }) => !asked.has(id));
    if (next.length === 0) return { form: current, values: new Map() };
    const answers = await askRound(cli, client, { prompts, members }, current, { fields: next, asked });
    current = await submitAnswers(cli, client, current, answers);
  }
}

async function askRound(
  { io }: Cli,
  client: Client,
  { prompts, members }: { readonly prompts: Prompts; readonly members: readonly Member[] | null },
  form: Form,
  { fields, asked }: { readonly fields: readonly Field[]; readonly asked: Set<string> },
): Promise<Answers> {
  const values = new Map<string, FieldValue>();
  const files = new Map<string, readonly string[]>();
  for (const field of fields) {
    if (values.size + files.size > 0 && form.conditional.has(field.id)) break;
    // What a chosen row fills is not asked for.
    if (asked.has(field.id)) continue;
    asked.add(field.id);
    const question = { field, current: form.values.get(field.id) ?? null };
    if (holdsFiles(field)) {
      const paths = await askFiles(io, prompts, question);
      if (paths.length > 0) files.set(field.id, paths);
    } else if (field.dataSource) {
      const { value, row } = await askRow(client, prompts, question, messageOf(field));
      values.set(field.id, value);
      for (const { columnId, fieldId } of field.dataSource.autoFill) {
        if ((row?.cells[columnId] ?? null) !== null) asked.add(fieldId);
      }
    } else {
      values.set(field.id, await askField(prompts, question, members));
    }
  }
  return { values, files };
}
