import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { changeTasks } from './change/change-tasks.ts';
import { launchRuns } from './launch/launch-runs.ts';

/** Launches of several runs at once. */
export const runBulk: Handlers<Parts['runBulk']> = {
  bulkLaunch: async ({ body, ...context }) => {
    const launches = await launchRuns(context, body.runs);
    const results = launches.map((launch, index) =>
      launch.rejection === null
        ? { index, status: 'CREATED' as const, run: launch.run }
        : { index, status: 'REJECTED' as const, message: launch.rejection.messages, code: launch.rejection.code },
    );
    const created = results.filter(({ status }) => status === 'CREATED').length;
    return { created, rejected: results.length - created, results };
  },
};

/** Changes to several tasks at once. */
export const taskBulk: Handlers<Parts['taskBulk']> = {
  bulkUpdate: async ({ body, ...context }) => {
    await changeTasks(context, body);
    return { taskIds: body.taskIds };
  },
};
