import type { ExecutionEntry, SubmittedValue } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { nextPageLink, pathWith } from '../next-page.ts';
import { activityInWords } from '../runs/activity-words.ts';
import { timeTag } from '../time-tag.ts';
import { showValue, valueContext } from './show-value.ts';
import type { TaskData } from './task-data.ts';

/** Entries of a page of a list. */
const entriesPerPage = 50;
/** Values of a page of the earlier values. */
const valuesPerPage = 20;
const activitiesRead = 200;
const activitiesShown = 20;

/** The values of an entry that cannot be changed. */
export function renderValues(request: ConsoleRequest, data: TaskData, values: readonly SubmittedValue[]): Child {
  if (values.length === 0) return html`<p class="soft">No answers.</p>`;
  const context = valueContext(request, data);
  return html`<dl class="values">
    ${values.map(
      (value) =>
        html`<div>
          <dt>${value.label}</dt>
          <dd>${showValue(value, context)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The entries of a repeatable task, newest first, with the way to a new one. */
export async function renderEntries(request: ConsoleRequest, { task, entry, people }: TaskData): Promise<Child> {
  if (!task.repeatable) return null;
  const cursor = request.query.get('entries') ?? undefined;
  const entries = await request.api.execution.entries(task.runTaskId, { limit: entriesPerPage, cursor });
  return html`<section aria-labelledby="entries">
    <h2 id="entries">Entries</h2>
    ${entries.total === 0 && html`<p class="soft">There are no entries yet. Your answers make the first one.</p>`}
    <ul class="entries">
      ${entries.data.map((each) => html`<li>${entryLink(request, each, each.id === entry?.id, people.nameOf)}</li>`)}
    </ul>
    ${nextPageLink(request, entries.nextCursor, { name: 'entries', text: 'Older entries', anchor: 'entries' })}
    <p><a class="button quiet" href="${pathWith(request, { entry: 'new' })}">New entry</a></p>
  </section>`;
}

function entryLink(
  request: ConsoleRequest,
  { id, status, createdAt, createdByUserId }: ExecutionEntry,
  isCurrent: boolean,
  nameOf: (id: string) => string,
): Markup {
  return html`<a href="${pathWith(request, { entry: id })}" ${isCurrent && html`aria-current="true"`}
      >${request.formats.time(createdAt)}, ${nameOf(createdByUserId)}</a
    >
    <span class="badge">${status === 'OPEN' ? 'Open' : 'Completed'}</span>`;
}

/** What other tasks of the run contain, folded. */
export function renderEarlierValues(request: ConsoleRequest, data: TaskData): Child {
  const values = (data.around?.run.tasks ?? [])
    .filter(({ runTaskId }) => runTaskId !== data.task.runTaskId)
    .flatMap(({ title, entries = [] }) =>
      entries.flatMap(({ fieldValues }) =>
        fieldValues.map((value) => ({ ...value, label: `${title}: ${value.label}` })),
      ),
    );
  if (values.length === 0) return null;
  const { rows, links } = pageOf(request, 'values', values, valuesPerPage);
  return html`<details ${request.query.has('values') && html`open`}>
    <summary>Earlier answers of this run (${request.formats.number(values.length)})</summary>
    ${renderValues(request, data, rows)}${links}
  </details>`;
}

/** The latest activity of the task, folded. The endpoint lists that of the whole run. */
export async function renderActivity(
  { api, formats }: ConsoleRequest,
  { task, people, around }: TaskData,
): Promise<Child> {
  if (!around) return null;
  const { data } = await api.runs.activity(task.runId, { limit: activitiesRead });
  const own = data.filter(({ runTaskId }) => runTaskId === task.runTaskId).slice(0, activitiesShown);
  if (own.length === 0) return null;
  return html`<details>
    <summary>Activity of this task</summary>
    <ul class="entries">
      ${own.map(
        (activity) =>
          html`<li>
            ${timeTag(formats, activity.at)} ${activityInWords(activity, () => task.title)}
            <span class="soft">
              ${activity.actor.userId === null ? 'by the service' : `by ${people.nameOf(activity.actor.userId)}`}
            </span>
          </li>`,
      )}
    </ul>
    <p><a href="${consolePaths.runs}/${task.runId}">All activity of the run</a></p>
  </details>`;
}

/** One page of a list that is known completely; the parameter of the URL says how many items come before it. */
function pageOf<Item>(request: ConsoleRequest, parameter: string, items: readonly Item[], size: number) {
  const start = Math.max(0, Number.parseInt(request.query.get(parameter) ?? '', 10) || 0);
  const to = (offset: number, text: string, rel: string) =>
    html`<a class="button quiet" href="${pathWith(request, { [parameter]: String(offset) })}" rel="${rel}">${text}</a>`;
  const links =
    items.length > size &&
    html`<p class="actions">
      ${start > 0 && to(Math.max(0, start - size), 'Previous', 'prev')}
      ${start + size < items.length && to(start + size, 'Next', 'next')}
    </p>`;
  return { rows: items.slice(start, start + size), links };
}
