import type { RunListItem, RunStatus } from '@runward/sdk';
import type { ConsoleRequest } from '../console-page.ts';

/** What the actions need of a run. */
export type ChosenRun = Pick<RunListItem, 'id' | 'title' | 'publicId' | 'status'>;

/** A change of several runs. */
export interface BulkAction {
  /** What is done, before a number of runs. */
  readonly verb: string;
  readonly consequence: string;
  /** The statuses of runs for which it is possible. */
  readonly statuses: readonly RunStatus[];
  /** Changes one run, and says what was done. */
  readonly apply: (api: ConsoleRequest['api'], run: ChosenRun, assigneeId: string) => Promise<string>;
}

/** The most tasks that the API assigns at once. */
const maximumTasks = 500;

/** All changes of several runs, by the name in forms. */
export const bulkActions: Readonly<Record<string, BulkAction>> = {
  archive: {
    verb: 'Archive',
    consequence: 'They are left out of lists and counts. You can unarchive each of them.',
    statuses: ['COMPLETED', 'CANCELLED'],
    apply: async (api, { id }) => {
      await api.runs.archive({ runIds: [id] });
      return 'Archived';
    },
  },
  cancel: {
    verb: 'Cancel',
    consequence: 'Tasks and values stay as they are, and no one can work on them. You can reopen each of them.',
    statuses: ['RUNNING', 'OVERDUE'],
    apply: async (api, { id }) => {
      await api.runs.cancel(id);
      return 'Cancelled';
    },
  },
  assign: {
    verb: 'Assign the open tasks of',
    consequence: 'Every visible task that is not completed is assigned to the member whom you choose.',
    statuses: ['RUNNING', 'OVERDUE'],
    apply: async (api, { id }, assigneeId) => {
      const tasks = await api.runs.tasks
        .list({ runId: id, status: ['PENDING', 'BLOCKED', 'PENDING_APPROVAL'] })
        .toArray({ limit: maximumTasks });
      if (tasks.length === 0) return 'No open task';
      await api.runs.tasks.bulkUpdate({ taskIds: tasks.map(({ runTaskId }) => runTaskId), assigneeId });
      return tasks.length === 1 ? '1 task assigned' : `${tasks.length} tasks assigned`;
    },
  },
  migrate: {
    verb: 'Update the version of',
    consequence:
      'Each follows the latest version of its template. Tasks that both versions have keep their values, and open ones that the latest ' +
      'lacks are removed. You can move each of them back.',
    statuses: ['RUNNING', 'OVERDUE'],
    apply: async (api, { id }) => {
      const { changed, from, to } = await api.runs.migrateToLatest(id);
      return changed ? `Version ${from.number} to ${to.number}` : `Already follows version ${to.number}`;
    },
  },
};
