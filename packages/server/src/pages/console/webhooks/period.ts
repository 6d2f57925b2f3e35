import { instantOf } from '../../../calendar.ts';
import { html, type Markup } from '../../html.ts';
import type { Formats } from '../formats.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';

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
      const why = `must be a date with a time that clocks in ${timeZone} show, like 2026-03-01T09:00`;
      errors.push({ fieldId: name, message: `${periodFields[name]}: ${why}` });
    }
    return at;
  };
  return { from: read('from'), to: read('to'), errors };
}

/** The fields for the ends of a period. */
export function renderPeriod(fields: URLSearchParams, errors: readonly FormError[]): Markup[] {
  return Object.entries(periodFields).map(([name, label]) => {
    const problem = fieldErrors(errors, name);
    return html`<div class="field">
      <label for="${name}">${label}</label>
      ${problem}
      <input
        id="${name}"
        name="${name}"
        type="datetime-local"
        value="${fields.get(name) ?? ''}"
        ${problem && html`aria-invalid="true" aria-describedby="${name}-error"`}
      />
    </div>`;
  });
}
