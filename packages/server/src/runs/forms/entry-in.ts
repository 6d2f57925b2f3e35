import type { EntryState, RunState, TaskState } from '@runward/engine';

/** An entry that a run contains, and its task. Throws if it does not. */
export function entryIn(run: RunState, entryId: string): { task: TaskState; entry: EntryState } {
  for (const task of run.tasks) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    if (entry) return { task, entry };
  }
  throw new Error(`Run ${run.id} has no entry ${entryId} although it was found by it or has opened it.`);
}
