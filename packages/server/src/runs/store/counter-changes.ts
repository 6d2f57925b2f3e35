import type { RunState } from '@runward/engine';
import { newId } from '../../ids.ts';
import { RunCounterChange } from '../entities/run-counter-change.ts';
import { tableOf, type Row, type Table } from './table.ts';

type CounterChangeRow = Row<typeof RunCounterChange>;

/** The table of changes that were not folded into the counters yet. */
export const counterChangeTable: Table<CounterChangeRow> = tableOf(RunCounterChange);

/** The rows that changes of runs add to the counters: one per changed counter, however many runs there are. */
export function counterChangeRows(
  organizationId: string,
  changes: readonly { readonly before: RunState | null; readonly after: RunState }[],
): CounterChangeRow[] {
  const rows = new Map<string, CounterChangeRow>();
  const add = (run: RunState, sign: 1 | -1) => {
    const { templateId, status, archivedAt } = run;
    const archived = archivedAt !== null;
    const key = `${templateId} ${status} ${archived}`;
    const none = { organizationId, id: newId(), templateId, status, archived, change: 0, taskChange: 0 };
    const row = rows.get(key) ?? none;
    rows.set(key, { ...row, change: row.change + sign, taskChange: row.taskChange + sign * visibleTasks(run) });
  };
  for (const { before, after } of changes) {
    if (before && isCountedAlike(before, after)) continue;
    if (before) add(before, -1);
    add(after, 1);
  }
  return [...rows.values()].filter(({ change, taskChange }) => change !== 0 || taskChange !== 0);
}

function visibleTasks({ tasks }: RunState): number {
  return tasks.filter(({ hidden }) => !hidden).length;
}

function isCountedAlike(one: RunState, other: RunState): boolean {
  return (
    one.status === other.status &&
    one.templateId === other.templateId &&
    (one.archivedAt === null) === (other.archivedAt === null) &&
    visibleTasks(one) === visibleTasks(other)
  );
}
