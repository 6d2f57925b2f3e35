import { leaf, type CommandTree } from '../tree.ts';

/** The commands of `runward runs`, in the order of its help. */
export const commands: CommandTree = {
  launch: leaf('Launch a run, or one for each row of a CSV file', async () => (await import('./launch.ts')).launchRuns),
  list: leaf('List runs, newest first', async () => (await import('./list.ts')).listRuns),
  export: leaf(
    'Export all runs that match as CSV, or one run as CSV or PDF',
    async () => (await import('./export.ts')).exportRuns,
  ),
  get: leaf('Print a run with its tasks', async () => (await import('./get.ts')).getRun),
  explain: leaf('Explain the status of a run and its tasks', async () => (await import('./explain.ts')).explainRun),
  watch: leaf('Print the activity of a run until it ends', async () => (await import('./watch.ts')).watchRun),
  wait: leaf('Wait until a run is completed', async () => (await import('./wait.ts')).waitForRun),
  approve: leaf(
    'Approve a task of a run that waits for approval',
    async () => (await import('./approve.ts')).approveTask,
  ),
  reject: leaf('Reject a task of a run that waits for approval', async () => (await import('./reject.ts')).rejectTask),
  complete: leaf('Complete a run', async () => (await import('./complete.ts')).completeRun),
  cancel: leaf('Cancel an active run', async () => (await import('./cancel.ts')).cancelRun),
  reopen: leaf('Reopen a completed or cancelled run', async () => (await import('./reopen.ts')).reopenRun),
  archive: leaf(
    'Archive completed or cancelled runs: leave them out of lists and counts',
    async () => (await import('./archive.ts')).archiveRuns,
  ),
  unarchive: leaf(
    'Bring archived runs back into lists and counts',
    async () => (await import('./unarchive.ts')).unarchiveRuns,
  ),
  migrate: leaf(
    'Migrate runs to the latest or another version of their template',
    async () => (await import('./migrate.ts')).migrateRunsToVersion,
  ),
};
