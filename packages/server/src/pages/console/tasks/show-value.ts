import type { Field, File, SubmittedValue } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { Formats } from '../formats.ts';
import type { People } from '../people.ts';
import { fileTypes } from './answers.ts';
import type { TaskData } from './task-data.ts';

/** What the values of a run refer to. */
export interface ValueContext {
  readonly formats: Formats;
  readonly people: People;
  readonly files: readonly File[];
  /** The options of fields, by the id of the field. */
  readonly options: ReadonlyMap<string, Field['options']>;
}

/** What the values of a run refer to. */
export function valueContext(
  { formats }: Pick<ConsoleRequest, 'formats'>,
  { people, files, form, around }: TaskData,
): ValueContext {
  const fields = around?.fields ?? form.fields;
  return { formats, people, files, options: new Map(fields.map(({ id, options }) => [id, options])) };
}

type Shown = Pick<SubmittedValue, 'type' | 'value' | 'rowLabel' | 'runTaskFieldId'>;

/** A value as text, or as links to its files. */
export function showValue(shown: Shown, context: ValueContext): Child {
  const { type, value } = shown;
  if (value === null || !fileTypes.has(type)) return valueText(shown, context);
  return [value].flat().map((id) => html`${fileLink(context.files, String(id))} `);
}

/** A value as text. */
export function valueText(
  { type, value, rowLabel, runTaskFieldId }: Shown,
  { formats, people, options }: ValueContext,
): string {
  if (value === null) return 'No answer';
  switch (type) {
    case 'CHECKBOX':
      return value === true ? 'Yes' : 'No';
    case 'NUMBER':
      return formats.number(Number(value));
    case 'DATE':
      return formats.date(String(value));
    case 'DATETIME':
      return formats.time(String(value));
    case 'USER':
      return people.nameOf(String(value));
    case 'DATA_SOURCE':
      return rowLabel ?? String(value);
    default: {
      const labels = new Map(options.get(runTaskFieldId)?.map(({ key, label }) => [key, label]));
      return [value]
        .flat()
        .map((each) => labels.get(String(each)) ?? String(each))
        .join(', ');
    }
  }
}

/** A way to download a file of a run. */
export function fileLink(files: readonly File[], id: string): Child {
  const name = files.find((file) => file.id === id)?.fileName ?? 'File';
  return html`<a href="${consolePaths.files}/${id}">${name}</a>`;
}
