import type { EntryState, RunState, TaskState } from '@runward/engine';

/** An entry of a run, and its task. Throws if the run does not contain the entry. */
export function entryIn(run: RunState, entryId: string): { task: TaskState; entry: EntryState } {
  for (const task of run.tasks) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    if (entry) return { task, entry };
  }
  throw new Error(`Run ${run.id} has no entry ${entryId} although it was found by it or has opened it.`);
}
