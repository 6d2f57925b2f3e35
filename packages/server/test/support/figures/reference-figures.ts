import { runStatuses, type Contract, type FilterSet, type Response } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';

type RunTask = Response<Contract['runs']['get']>['tasks'][number];

/** A task as the reference sees it. `availableAt` is read from the activity. */
interface Task extends RunTask {
  readonly availableAt: string | null;
}

/** A run as the reference sees it. `wasOverdue` is read from the activity. */
export interface KnownRun extends Omit<Response<Contract['runs']['get']>, 'tasks'> {
  readonly tasks: readonly Task[];
  readonly wasOverdue: boolean;
  readonly lastActivityAt: string;
}

/** What the API says of a run. */
export async function knownRun(api: Api, id: string): Promise<KnownRun> {
  const run = await must(api.call('runs', 'get', { params: { id } }));
  const { data } = await must(api.call('runs', 'activity', { params: { id } }));
  const lines = data.toReversed();
  const started = (lines[0]?.data['tasks'] ?? []) as { runTaskId: string; blocked: boolean; hidden: boolean }[];
  const since = (runTaskId: string) => {
    const atLaunch = started.find((task) => task.runTaskId === runTaskId && !task.blocked && !task.hidden);
    const later = lines.findLast((line) => line.runTaskId === runTaskId && line.type === 'task.unblocked');
    return later?.at ?? (atLaunch ? run.createdAt : null);
  };
  const work = lines.filter(
    ({ type }) => !['task.due_soon', 'task.overdue', 'run.overdue', 'run.on_time'].includes(type),
  );
  return {
    ...run,
    tasks: run.tasks.map((task) => ({ ...task, availableAt: since(task.runTaskId) })),
    wasOverdue: lines.some(({ type }) => type === 'run.overdue'),
    lastActivityAt: work.at(-1)?.at ?? run.createdAt,
  };
}

/** The figures of runs, written down once more. */
export function referenceFigures(runs: readonly KnownRun[]) {
  const having = (status: KnownRun['status']) => runs.filter((run) => run.status === status);
  const completed = having('COMPLETED');
  const times = completed.map((run) => secondsBetween(run.createdAt, run.completedAt));
  return {
    total: runs.length,
    byStatus: Object.fromEntries(runStatuses.map((status) => [status, having(status).length])),
    completionRate: ratio(completed.length, runs.length - having('CANCELLED').length),
    onTimeRate: ratio(completed.filter(({ wasOverdue }) => !wasOverdue).length, completed.length),
    cycleTimeSeconds: {
      average: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length,
      ...quantiles(times),
    },
  };
}

/** The period and the time zone of reference figures. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** All analytics of the runs that a caller sees and that match filters. `names` has those of templates and members. */
export function referenceAnalytics(all: readonly KnownRun[], period: Period, names: ReadonlyMap<string, string>) {
  const { from, to, timeZone } = period;
  const dayOf = localDays(timeZone);
  const within = (first: string, last: string) => {
    return all.filter(({ createdAt }) => dayOf(createdAt) >= first && dayOf(createdAt) <= last);
  };
  const days = daysBetween(from, to);
  const runs = within(from, to);
  const { byStatus: _, ...previous } = referenceFigures(within(addDays(from, -days.length), addDays(from, -1)));
  const by = (name: string, idOf: (run: KnownRun) => string) => {
    const figuresOf = ([id, part]: [string, KnownRun[]]) => ({ id, figures: referenceFigures(part) });
    const parts = sorted([...Map.groupBy(runs, idOf)].map(figuresOf), ({ id, figures }) => [-figures.total, id]);
    return parts.map(({ id, figures }) => Object.assign({ [name]: id, name: names.get(id) }, figures));
  };
  const tasks = runs.flatMap((run) => run.tasks.filter(({ hidden }) => !hidden).map((task) => ({ run, task })));
  const isOpen = ({ run, task }: (typeof tasks)[number]) => isActive(run) && task.status !== 'COMPLETED';
  const isOverdue = (one: (typeof tasks)[number]) => isOpen(one) && isPast(one.task.deadlineAt);
  const isDone = ({ task }: (typeof tasks)[number]) => task.status === 'COMPLETED';
  const durations = (some: typeof tasks) =>
    quantiles(some.filter(isDone).map(({ task }) => secondsBetween(task.availableAt ?? '', task.completedAt)));
  const counted = tasks.filter((one) => one.task.assigneeId !== null && (isOpen(one) || isDone(one)));
  const done = Map.groupBy(tasks.filter(isDone), ({ run, task }) => `${task.taskId} ${run.templateId}`);
  return {
    range: { from, to, timeZone },
    ...referenceFigures(runs),
    overdueTasks: tasks.filter(isOverdue).length,
    perDay: days.map((date) => ({
      date,
      started: runs.filter(({ createdAt }) => dayOf(createdAt) === date).length,
      completed: runs.filter(({ completedAt }) => completedAt !== null && dayOf(completedAt) === date).length,
    })),
    previous,
    byTemplate: by('templateId', ({ templateId }) => templateId),
    byOwner: by('userId', ({ ownerUserId }) => ownerUserId),
    byAssignee: sorted(
      [...Map.groupBy(counted, ({ task }) => task.assigneeId ?? '')].map(([userId, some]) => ({
        userId,
        name: names.get(userId),
        completedTasks: some.filter(isDone).length,
        openTasks: some.filter(isOpen).length,
        overdueTasks: some.filter(isOverdue).length,
        durationSeconds: durations(some),
      })),
      (one) => [-one.completedTasks - one.openTasks, one.userId],
    ),
    bottlenecks: sorted(
      [...done.values()].map((some) => {
        const [{ run, task } = { run: undefined, task: undefined }] = some;
        const withDeadline = some.filter((one) => one.task.deadlineAt !== null);
        const late = withDeadline.filter((one) => (one.task.completedAt ?? '') > (one.task.deadlineAt ?? ''));
        return {
          taskId: task?.taskId ?? '',
          title: task?.title,
          templateId: run?.templateId ?? '',
          completedTasks: some.length,
          durationSeconds: durations(some),
          overdueRate: ratio(late.length, withDeadline.length),
        };
      }),
      (one) => [-(one.durationSeconds.median ?? 0), one.taskId],
    ),
    stalled: sorted(
      runs.filter(isActive).map((run) => ({
        runId: run.id,
        publicId: run.publicId,
        title: run.title,
        status: run.status,
        templateId: run.templateId,
        ownerUserId: run.ownerUserId,
        lastActivityAt: run.lastActivityAt,
      })),
      (one) => [one.lastActivityAt, one.runId],
    ).slice(0, 50),
  };
}

/** Whether a run matches filters: what of a filter set the properties use. */
export function matches(
  run: KnownRun,
  { statuses, templateIds, ownerUserIds, assigneeIds, archived }: FilterSet,
): boolean {
  return (
    (statuses?.includes(run.status) ?? true) &&
    (templateIds?.includes(run.templateId) ?? true) &&
    (ownerUserIds?.includes(run.ownerUserId) ?? true) &&
    (assigneeIds === undefined ||
      run.tasks.some(({ hidden, assigneeId }) => !hidden && assigneeIds.includes(assigneeId ?? ''))) &&
    (archived === undefined || archived === (run.archivedAt !== null))
  );
}

/** A date a number of days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** All dates from the first to the last. */
function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** The local date of an instant in a time zone. */
export function localDays(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return (instant) => format.format(new Date(instant));
}

/** Whether a run has not ended. */
export function isActive({ status }: KnownRun): boolean {
  return status === 'RUNNING' || status === 'OVERDUE';
}

/** Whether a deadline has passed. */
export function isPast(deadlineAt: string | null): boolean {
  return deadlineAt !== null && Date.parse(deadlineAt) < Date.now();
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function secondsBetween(from: string, to: string | null): number {
  return (Date.parse(to ?? '') - Date.parse(from)) / 1_000;
}

/** The median and the 90th percentile; between two values in proportion. */
function quantiles(values: readonly number[]): { median: number | null; p90: number | null } {
  const order = values.toSorted((one, other) => one - other);
  const at = (share: number) => {
    const place = share * (order.length - 1);
    const below = order[Math.floor(place)] ?? 0;
    const above = order[Math.ceil(place)] ?? 0;
    return order.length === 0 ? null : below + (above - below) * (place - Math.floor(place));
  };
  return { median: at(0.5), p90: at(0.9) };
}

function sorted<Item>(items: readonly Item[], keyOf: (item: Item) => readonly [number | string, string]): Item[] {
  return items.toSorted((one, other) => {
    const [first, second] = keyOf(one);
    const [otherFirst, otherSecond] = keyOf(other);
    if (first !== otherFirst) return first < otherFirst ? -1 : 1;
    return second < otherSecond ? -1 : 1;
  });
}
