import type { Run } from '@runward/sdk';
import type { ConsoleRequest } from '../console-page.ts';

/** What a form changes. */
export interface Changed {
  readonly api: ConsoleRequest['api'];
  readonly runId: string;
  /** The task that it concerns; empty if it concerns the run. */
  readonly runTaskId: string;
  /** The new title; empty unless the run is renamed. */
  readonly title: string;
}

/** A change of a run or of one of its tasks. */
export interface Change {
  /** What is asked before; also the heading. `task` is the title of the task. */
  readonly question: (run: Run, task: string) => string;
  readonly consequence: string;
  readonly button: string;
  /** What the page says afterwards; see the layout. */
  readonly notice: string;
  readonly apply: (changed: Changed) => Promise<unknown>;
}

/** All changes that the page of a run offers, by the name in its forms. */
export const changes: Readonly<Record<string, Change>> = {
  cancel: {
    question: ({ title }) => `Cancel “${title}”?`,
    consequence:
      'Its tasks and values stay as they are, and no one can work on them. Webhooks report it. You can reopen it later.',
    button: 'Cancel the run',
    notice: 'cancelled',
    apply: ({ api, runId }) => api.runs.cancel(runId),
  },
  complete: {
    question: ({ title }) => `Complete “${title}”?`,
    consequence: 'Optional tasks stay open. Webhooks report it. You can reopen it later.',
    button: 'Complete the run',
    notice: 'runCompleted',
    apply: ({ api, runId }) => api.runs.complete(runId),
  },
  rename: {
    question: ({ title }) => `Rename “${title}”`,
    consequence: 'The public id stays the same.',
    button: 'Rename the run',
    notice: 'changed',
    apply: ({ api, runId, title }) => api.runs.update(runId, { title }),
  },
  reopen: {
    question: ({ title }) => `Reopen “${title}”?`,
    consequence: 'Its tasks stay as they are, and work on them can go on.',
    button: 'Reopen the run',
    notice: 'reopened',
    apply: ({ api, runId }) => api.runs.reopen(runId),
  },
  archive: {
    question: ({ title }) => `Archive “${title}”?`,
    consequence: 'It is left out of lists and counts.',
    button: 'Archive the run',
    notice: 'archived',
    apply: ({ api, runId }) => api.runs.archive({ runIds: [runId] }),
  },
  unarchive: {
    question: ({ title }) => `Unarchive “${title}”?`,
    consequence: 'It is in lists and counts again.',
    button: 'Unarchive the run',
    notice: 'unarchived',
    apply: ({ api, runId }) => api.runs.unarchive({ runIds: [runId] }),
  },
  unblock: {
    question: (_, task) => `Unblock “${task}”?`,
    consequence: 'It can be done although it depends on open tasks, and is not blocked again. This cannot be undone.',
    button: 'Unblock the task',
    notice: 'unblocked',
    apply: ({ api, runTaskId }) => api.runs.tasks.forceUnblock(runTaskId),
  },
  reopenTask: {
    question: (_, task) => `Reopen “${task}”?`,
    consequence: 'It is open again. Its values stay, and tasks that depend on it may wait for it again.',
    button: 'Reopen the task',
    notice: 'reopened',
    apply: ({ api, runTaskId }) => api.runs.tasks.setStatus(runTaskId, { status: 'PENDING' }),
  },
};
