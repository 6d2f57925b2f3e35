import {
  dueBuckets,
  taskReasons,
  type Contract,
  type DueBucket,
  type Response,
  type TaskReason,
} from '@runward/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import type { DueRanges } from '../lists/due-buckets.ts';
import { matchingTasks } from './count-tasks.ts';
import type { TaskFilter } from './task-parts.ts';

type Counts = Response<Contract['me.tasks']['counts']>;

/** The numbers of the tasks of the caller that match, in all, by when they are due and by reason. One statement. */
export async function countMyTasks(em: Em, actor: Actor, filter: TaskFilter, ranges: DueRanges): Promise<Counts> {
  const db = em.getKysely();
  const byReason = taskReasons.map(
    (reason) => sql`
      select id, deadline_at, ${bitsOf([reason])} as reason
      from (${matchingTasks(db, actor, { ...filter, mine: [reason] })}) task`,
  );
  const tasks = sql`(
    select deadline_at, bit_or(reason) as reasons from (${sql.join(byReason, sql` union all `)}) task
    group by id, deadline_at having bit_or(reason) & ${bitsOf(filter.mine ?? taskReasons)} <> 0)`;
  const numbers = [
    sql`true`,
    ...dueBuckets.map((due) => isDue(due, ranges)),
    ...taskReasons.map((reason) => sql`reasons & ${bitsOf([reason])} <> 0`),
  ].map((condition) => sql`(count(*) filter (where ${condition}))::int`);
  const { counts } = await db
    .selectFrom(tasks.as('task'))
    .select(sql<number[]>`array[${sql.join(numbers)}]`.as('counts'))
    .executeTakeFirstOrThrow();
  const [total = 0, OVERDUE = 0, TODAY = 0, THIS_WEEK = 0, LATER = 0, NONE = 0, ...ofReasons] = counts;
  const [ASSIGNED = 0, GROUP = 0, APPROVAL = 0] = ofReasons;
  return { total, byDue: { OVERDUE, TODAY, THIS_WEEK, LATER, NONE }, byReason: { ASSIGNED, GROUP, APPROVAL } };
}

/** A bit for each reason: aggregating arrays takes a third longer. */
function bitsOf(reasons: readonly TaskReason[]): RawBuilder<number> {
  return sql.lit(reasons.reduce((bits, reason) => bits | (1 << taskReasons.indexOf(reason)), 0));
}

function isDue(due: DueBucket, ranges: DueRanges): RawBuilder<unknown> {
  if (due === 'NONE') return sql`deadline_at is null`;
  const { from = '-infinity', to = 'infinity' } = ranges[due];
  return sql`deadline_at >= ${from}::timestamptz and deadline_at < ${to}::timestamptz`;
}
