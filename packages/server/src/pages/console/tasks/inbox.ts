import type { Child } from '../../html.ts';
import { html, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { refreshed } from '../scripted.ts';
import { renderTabs } from '../tabs.ts';
import { timeTag } from '../time-tag.ts';

type Tasks = Awaited<ReturnType<ConsoleRequest['api']['me']['tasks']['list']>>;
type Task = Tasks['data'][number];
type Due = Task['due'];

const groups: readonly { readonly due: Due; readonly title: string }[] = [
  { due: 'OVERDUE', title: 'Overdue' },
  { due: 'TODAY', title: 'Today' },
  { due: 'THIS_WEEK', title: 'This week' },
  { due: 'LATER', title: 'Later' },
  { due: 'NONE', title: 'No date' },
];

const reasons = { ASSIGNED: 'Yours', GROUP: 'Your group', APPROVAL: 'Waiting for your approval' } as const;

/** What the member has to do: own tasks, those of own groups, and approvals, by deadline. */
export async function showInbox(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, query } = request;
  const reason = reasonOf(query.get('show'));
  const filter = reason ? { reason: [reason] } : {};
  const [tasks, counts] = await Promise.all([
    api.me.tasks.list({ ...filter, ...chosenPage(request), total: 'bounded' }),
    api.me.tasks.counts(),
  ]);
  const main = html`<div ${refreshed('tasks')}>
      ${tabs(request, reason, counts.byReason, counts.total)}
      ${tasks.data.length === 0 ? empty(reason) : groups.map((group) => groupOf(request, group, tasks.data))}
      ${nextPageLink(request, tasks.nextCursor)}
    </div>
    <p class="note">Times are in ${request.formats.timeZone}.</p>`;
  return { title: 'Tasks', section: 'tasks', main };
}

function reasonOf(show: string | null): keyof typeof reasons | null {
  return show === 'ASSIGNED' || show === 'GROUP' || show === 'APPROVAL' ? show : null;
}

function tabs(
  { formats }: ConsoleRequest,
  current: keyof typeof reasons | null,
  counts: Readonly<Record<keyof typeof reasons, number>>,
  total: number,
): Markup {
  const tab = (show: keyof typeof reasons | null, text: string, count: number) => ({
    href: show === null ? consolePaths.tasks : `${consolePaths.tasks}?show=${show}`,
    text,
    count,
    isCurrent: show === current,
  });
  return renderTabs(formats, 'Which tasks', [
    tab(null, 'All', total),
    tab('ASSIGNED', 'Yours', counts.ASSIGNED),
    tab('GROUP', 'Of your groups', counts.GROUP),
    tab('APPROVAL', 'To approve', counts.APPROVAL),
  ]);
}

function groupOf(request: ConsoleRequest, { due, title }: (typeof groups)[number], tasks: readonly Task[]): Child {
  const some = tasks.filter((task) => task.due === due);
  if (some.length === 0) return null;
  return html`<section aria-labelledby="due-${due}">
    <h2 class="size-3 ${due === 'OVERDUE' && 'overdue'}" id="due-${due}">${title}</h2>
    <ul class="rows">
      ${some.map((task) => row(request, task))}
    </ul>
  </section>`;
}

function row({ formats }: ConsoleRequest, task: Task): Markup {
  const { runTaskId, title, reasons: why, deadlineAt, runTitle, runPublicId } = task;
  return html`<li>
    <a href="${consolePaths.tasks}/${runTaskId}">${title}</a>
    <span class="soft">${runTitle} · ${runPublicId}</span>
    <span class="badges"
      >${why
        .filter((reason) => reason !== 'ASSIGNED')
        .map((reason) => html`<span class="badge">${reasons[reason]}</span>`)}</span
    >
    <span class="when">${deadlineAt !== null && timeTag(formats, deadlineAt)}</span>
  </li>`;
}

function empty(reason: keyof typeof reasons | null): Markup {
  if (reason === null) {
    return html`<p class="empty">
      Nothing to do. Tasks appear here when they are assigned to you or to one of your groups.
    </p>`;
  }
  return html`<p class="empty">None of your tasks is here. <a href="${consolePaths.tasks}">Show all of them</a>.</p>`;
}
