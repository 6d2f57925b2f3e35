import { auditActionNames, type AuditAction, type contract, type Response } from '@runward/contract';
import { inWords } from '../../../words.ts';
import { html, type Child } from '../../html.ts';
import type { Members } from '../people.ts';

/** A line of the audit log. */
export type AuditLine = Response<typeof contract.auditLog.list>['data'][number];

/** An action as words: "API key created". */
export function actionInWords(action: AuditAction): string {
  return inWords(action.replaceAll('.', '_')).replace(/^Api key/, 'API key');
}

/** All actions as choices, in the order of the contract. */
export const actionOptions = auditActionNames.map((value) => ({ value, text: actionInWords(value) }));

/** Who did something. */
export function actorInWords({ type, userId }: AuditLine['actor'], { nameOf }: Members): string {
  if (type === 'ANONYMOUS') return 'Somebody who did not sign in';
  if (type === 'SYSTEM') return 'The service';
  if (userId === null) return 'Whoever operates this service';
  return type === 'API_KEY' ? `${nameOf(userId)} (API key)` : nameOf(userId);
}

/** The properties that were changed, folded: as they were, and as they are. Nothing if there are none. */
export function changesOf({ before, after }: Pick<AuditLine, 'before' | 'after'>): Child {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  const textOf = (name: string) => {
    const values = [before, after].flatMap((properties) =>
      properties === null ? [] : [valueInWords(properties[name])],
    );
    return values.join(' → ');
  };
  return html`<details>
    <summary>Details</summary>
    <dl class="values">
      ${names.map(
        (name) =>
          html`<dt>${name}</dt>
            <dd>${textOf(name)}</dd>`,
      )}
    </dl>
  </details>`;
}

function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(valueInWords).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
