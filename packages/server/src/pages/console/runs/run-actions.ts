import { contract } from '@runward/contract';
import { isActive } from '@runward/engine';
import type { Run, RunExplanation } from '@runward/sdk';
import { localTime } from '../../../calendar.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { may } from '../may.ts';

/** What can be done with a run now, and what it waits for. */
export function runActions({ csrf, visitor }: ConsoleRequest, run: Run, { run: state }: RunExplanation): Markup {
  const path = `${consolePaths.runs}/${run.id}`;
  const ask = (action: string, text: string) =>
    html`<a class="button quiet" href="${path}/change?do=${action}">${text}</a>`;
  const now = (action: string, text: string) =>
    html`<form method="post" action="${path}/change">
      ${csrf}<button type="submit" class="quiet" name="do" value="${action}">${text}</button>
    </form>`;
  const actions: Child = !may(visitor, contract.runs.update)
    ? null
    : isActive(run)
      ? [
          state.completable && ask('complete', 'Complete…'),
          ask('cancel', 'Cancel…'),
          ask('rename', 'Rename…'),
          html`<a class="button quiet" href="${path}/migrate">Change version…</a>`,
        ]
      : [now('reopen', 'Reopen'), run.archivedAt === null ? now('archive', 'Archive') : now('unarchive', 'Unarchive')];
  return html`${state.reasons.map(({ message }) => html`<p class="soft reason">${message}</p>`)}
    <div class="actions">
      ${actions}
      <a class="button quiet" href="${contract.runs.exportRunPdf.path.replace(':id', run.id)}">PDF</a>
    </div>`;
}

/** The form that shows the run as it was at a time. */
export function timeTravelForm({ path, formats, now }: ConsoleRequest, local: string): Markup {
  return html`<form class="travel" method="get" action="${path}">
    <div class="field">
      <label for="at">Show the run as it was at</label>
      <input
        id="at"
        name="at"
        type="datetime-local"
        step="1"
        value="${local === '' ? localTime(now.toISOString(), formats.timeZone, 'second') : local}"
      />
    </div>
    <button type="submit" class="quiet">Show</button>
  </form>`;
}
