import { taskReasons, taskStatuses, type Contract, type DueBucket, type Parts, type Query } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { dueOf, dueRanges, type DueRanges } from './lists/due-buckets.ts';
import { ensureFilter } from './lists/ensure-filter.ts';
import { pageOfTasks } from './lists/page-of-tasks.ts';
import { countMyTasks } from './queries/count-my-tasks.ts';
import type { TaskFilter } from './queries/task-parts.ts';

type Filters = Query<Contract['me.tasks']['counts']>;

const openStatuses = taskStatuses.filter((status) => status !== 'COMPLETED');

/** The open tasks of the caller. */
export const myTasks: Handlers<Parts['myTasks']> = {
  list: async ({ query: { limit, cursor, total, ...filters }, ...context }) => {
    const { filter, ranges } = await read(context, filters);
    const page = await pageOfTasks(context, filter, { limit, cursor, total });
    const data = page.data.map(({ item, row }) => ({
      ...item,
      reasons: [...(row.reasons ?? [])],
      due: dueOf(ranges, item.deadlineAt),
    }));
    return { ...page, data };
  },

  counts: async ({ query, ...context }) => {
    const { filter, ranges } = await read(context, query);
    return countMyTasks(context.em, context.actor, filter, ranges);
  },
};

async function read(context: RequestContext, { reason, due, status, ...filters }: Filters) {
  await ensureFilter(context, filters);
  const ranges = dueRanges(context.actor.timeZone, context.now);
  const filter: TaskFilter = {
    ...filters,
    ...(due && during(filters, due, ranges)),
    mine: reason ?? taskReasons,
    status: status ?? openStatuses,
  };
  return { filter, ranges };
}

/** The deadlines of a bucket that are within those that are asked for. */
function during({ dueAfter, dueBefore }: Filters, due: DueBucket, ranges: DueRanges): TaskFilter {
  if (due === 'NONE') return { undated: true };
  const { from, to } = ranges[due];
  return { dueAfter: inOrder(dueAfter, from).at(-1), dueBefore: inOrder(dueBefore, to)[0] };
}

function inOrder(...times: readonly (string | undefined)[]): string[] {
  return times.filter((time) => time !== undefined).toSorted((a, b) => Date.parse(a) - Date.parse(b));
}
