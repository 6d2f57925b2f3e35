import { isId } from '@runward/sdk/find';
import { usage } from '../errors.ts';

/** The records that are given by ID only: what messages call them, and the command that prints their IDs. */
export const idKinds = {
  accessRule: ['access rule', 'portals access-rules list PORTAL'],
  comment: ['comment', 'runs comments list RUN'],
  delivery: ['delivery', 'webhooks deliveries'],
  entry: ['entry', 'execution entries RUN TASK'],
  fieldValue: ['field value', 'execution get ENTRY-ID --fields fieldValues'],
  file: ['file', 'files list RUN'],
  formLink: ['form link', 'tasks form-links RUN TASK'],
  reportPreset: ['report preset', 'portals report-presets list'],
  row: ['row', 'data rows DATA-SOURCE'],
  runTask: ['task', 'tasks list --fields runTaskId,title,runTitle'],
  runTaskField: ['field', 'tasks form RUN TASK --fields fields'],
  share: ['share', 'templates shares TEMPLATE'],
  templateField: ['field', "templates get TEMPLATE --jq '.tasks[].fields[] | {id, label}'"],
  templateRule: ['rule', "templates get TEMPLATE --jq '.tasks[].rules[] | {id, name}'"],
} as const satisfies Readonly<Record<string, readonly [noun: string, list: string]>>;

/** A kind of records that are given by ID only. */
export type IdKind = keyof typeof idKinds;

/**
 * An ID from the command line.
 *
 * @throws CliError if the text is none
 */
export function readId(kind: IdKind, text: string): string {
  if (isId(text)) return text.toLowerCase();
  const [noun, list] = idKinds[kind];
  throw usage(
    `"${text}" is not ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} ID (a UUID). Find it with: runward ${list}`,
  );
}
