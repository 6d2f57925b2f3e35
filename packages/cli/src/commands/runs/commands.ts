import { hidden, leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward runs`, which its help lists first. */
export const commands: CommandTree = {
  launch: leaf('Launch a run, or one for each row of a CSV file', async () => (await import('./launch.ts')).launchRuns),
  list: leaf('List runs, newest first', async () => (await import('./list.ts')).listRuns),
  export: leaf(
    'Export all runs that match as CSV, or one run as CSV or PDF',
    async () => (await import('./export.ts')).exportRuns,
  ),
  explain: leaf('Explain the status of a run and its tasks', async () => (await import('./explain.ts')).explainRun),
  watch: leaf('Print the activity of a run until it ends', async () => (await import('./watch.ts')).watchRun),
  wait: leaf('Wait until a run is completed', async () => (await import('./wait.ts')).waitForRun),
  cancel: leaf('Cancel runs', async () => (await import('./end-runs.ts')).cancelRuns),
  reopen: leaf('Reopen completed or cancelled runs', async () => (await import('./end-runs.ts')).reopenRuns),
  approve: hidden('Approve a task by its ID', async () => (await import('../tasks/decide.ts')).approveByTaskId),
  reject: hidden('Reject a task by its ID', async () => (await import('../tasks/decide.ts')).rejectByTaskId),
  comment: leaf('Comment on a run or one of its tasks', async () => (await import('./comment.ts')).commentOnRun),
  migrate: leaf(
    'Migrate runs to the latest or another version of their template',
    async () => (await import('./migrate.ts')).migrateRunsToVersion,
  ),
};
