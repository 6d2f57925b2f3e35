import { shortTimes } from '../../short-times.ts';
import { inWords } from '../../words.ts';
import { html, type Markup } from '../html.ts';
import { heading, type Place } from './heading.ts';
import type { ShownBlock } from './view.ts';

type RunList = Extract<ShownBlock, { type: 'RUN_LIST' }>;

/** A list of runs: a table, of which each row is a card on a narrow screen. */
export function renderRunList({ title, runs, hasMore }: RunList, { id, level, timeZone }: Place): Markup {
  const times = shortTimes(timeZone);
  const days = shortTimes('UTC');
  const day = (date: string) => days.short(date, false);
  return html`<section class="widget" aria-labelledby="${id}">
    ${heading(level, html`${title ?? 'Runs'}`, 'widget-title', id)}
    ${runs.length === 0 ? html`<p class="note">No runs.</p>` : table()}
    ${hasMore && html`<p class="note">The newest ${runs.length} are shown; there are more.</p>`}
  </section>`;

  // The roles remain what they are for readers of the screen when the style makes rows into cards.
  function table(): Markup {
    return html`<table class="runs" role="table" aria-labelledby="${id}">
      <thead role="rowgroup">
        <tr role="row">
          ${['Run', 'Status', 'Planned for', 'Launched', 'Completed'].map(
            (name) => html`<th role="columnheader" scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${runs.map(
          (run) =>
            html`<tr role="row">
              <th role="rowheader" scope="row"><bdi>${run.title}</bdi></th>
              <td role="cell"><span class="status ${run.status.toLowerCase()}">${inWords(run.status)}</span></td>
              <td role="cell" data-label="Planned for">${day(run.scheduledDateLocal)}</td>
              <td role="cell" data-label="Launched">${times.short(run.createdAt, false)}</td>
              <td role="cell" data-label="Completed">
                ${run.completedAt === null ? '–' : times.short(run.completedAt, false)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}
