import type { Contract, Parts, Response } from '@runward/contract';
import { displayValue, newestValue, visibleFields, type Display, type TaskState } from '@runward/engine';
import type { Handlers } from '../access/handler.ts';
import { pageOfAll } from '../paging.ts';
import { withDisplay } from './read/display.ts';
import { findRun } from './read/find-run.ts';

type Summary = Response<Contract['runs']['summaries']>['data'][number];

/** The values that were entered in a run (spec: Runs, other operations). */
export const runSummaries: Handlers<Parts['runSummaries']> = {
  summaries: async ({ params, query, ...context }) => {
    const { state } = await findRun(context, params.id, { forms: true });
    const visible = state.tasks.filter(({ hidden }) => !hidden);
    return withDisplay(context, state, (display) =>
      pageOfAll(
        visible.map((task) => presentSummary(task, display)),
        query,
        context.ports.limits,
      ),
    );
  },
};

function presentSummary(task: TaskState, display: Display): Summary {
  const { definition, status, completedAt, completedByUserId } = task;
  return {
    runTaskId: task.id,
    taskId: definition.id,
    title: definition.title,
    status,
    completedAt,
    completedByUserId,
    fields: visibleFields(task).map((field) => {
      const submitted = newestValue(task, field.id);
      const value = submitted?.value ?? null;
      return {
        runTaskFieldId: field.id,
        label: field.label,
        type: field.type,
        value,
        displayValue: displayValue(field, value, display),
        submittedAt: submitted?.submittedAt ?? null,
        submittedByUserId: submitted?.submittedByUserId ?? null,
      };
    }),
  };
}
