import { instantOf } from '../../../calendar.ts';
import { html, type Markup } from '../../html.ts';
import type { Formats } from '../formats.ts';
import type { FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import { localTimeProblem } from '../local-time.ts';

/** The fields of a form for a period, by the properties that the messages of the API name. */
export const periodFields = { from: 'From', to: 'Before' } as const;

/** A period as a form has it. */
interface Period {
  /** Inclusive; undefined for no limit. */
  readonly from: string | undefined;
  /** Exclusive; undefined for no limit. */
  readonly to: string | undefined;
  readonly errors: readonly FormError[];
}

/** Reads the ends of a period, which are local times like `2026-03-01T09:00`. */
export function readPeriod(fields: URLSearchParams, { timeZone }: Pick<Formats, 'timeZone'>): Period {
  const errors: FormError[] = [];
  const read = (name: keyof typeof periodFields): string | undefined => {
    const text = fields.get(name) ?? '';
    if (text === '') return undefined;
    const at = instantOf(text, timeZone);
    if (at === undefined) {
      errors.push({ fieldId: name, message: `${periodFields[name]}: ${localTimeProblem(timeZone)}` });
    }
    return at;
  };
  return { from: read('from'), to: read('to'), errors };
}

/** The fields for the ends of a period. */
export function renderPeriod(fields: URLSearchParams, errors: readonly FormError[]): Markup[] {
  return Object.entries(periodFields).map(([id, label]) =>
    textField({
      id,
      label,
      value: fields.get(id) ?? '',
      errors,
      isOptional: true,
      attributes: html`type="datetime-local"`,
    }),
  );
}
