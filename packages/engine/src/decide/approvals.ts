import type { Fact } from '../facts.ts';
import { isActive, isRetired, missingFields, type EntryState, type RunState, type TaskState } from '../state.ts';
import type { Clock, Instant } from '../time.ts';

/**
 * Which approvals a command requests or invalidates.
 *
 * An approval concerns the open entry of its task. It is requested once that entry has every required value. It is
 * invalidated if another entry is opened, the entry is discarded, a decided value changes, a required value becomes
 * empty while the approval is requested, or the template asks for a different approval. After a rejection, the next
 * value requests the approval again.
 *
 * Completed tasks keep their approval until they are reopened. Approvals of hidden tasks are not requested.
 */
export function approvalChanges(before: RunState, run: RunState, { now }: Clock): Fact[] {
  if (!isActive(run)) return [];
  const isReopened = !isActive(before);
  if (before.tasks === run.tasks && !isReopened) return [];
  const earlier = new Map(before.tasks.map((task) => [task.id, task]));
  return run.tasks.flatMap((task) => {
    const previous = earlier.get(task.id);
    return previous === task && !isReopened ? [] : approvalChange(previous, task, now);
  });
}

function approvalChange(before: TaskState | undefined, task: TaskState, at: Instant): Fact[] {
  const { approval, definition, entries } = task;
  if (task.status === 'COMPLETED' || isRetired(task)) return [];
  const open = entries.find(({ status }) => status === 'OPEN');
  const isReady = definition.approval !== null && open !== undefined && missingFields(task, open).length === 0;
  const requests: Fact[] =
    isReady && !task.hidden ? [{ type: 'approval.requested', at, runTaskId: task.id, entryId: open.id }] : [];
  if (!approval) return requests;

  if (before && stillCounts(before, task, open, isReady)) {
    return approval.status === 'REJECTED' && open && isSubmitted(before, open) ? requests : [];
  }
  return [{ type: 'approval.invalidated', at, runTaskId: task.id, entryId: approval.entryId }, ...requests];
}

/** Whether a requested or decided approval is still valid. */
function stillCounts(before: TaskState, task: TaskState, open: EntryState | undefined, isReady: boolean): boolean {
  const { approval, definition } = task;
  if (!approval || !definition.approval) return false;
  if (JSON.stringify(before.definition.approval) !== JSON.stringify(definition.approval)) return false;
  if (open && open.id !== approval.entryId) return false;
  const [was, is] = [before, task].map(({ entries }) => entries.find(({ id }) => id === approval.entryId));
  if (was && !is) return false;
  if (approval.status === 'REJECTED') return true;
  return !approval.isOutdated && (approval.status === 'GRANTED' || !is || isReady);
}

/** Whether the command submitted a value to an entry, even an unchanged one. */
function isSubmitted(before: TaskState, { id, values }: EntryState): boolean {
  const known = before.entries.find((entry) => entry.id === id)?.values ?? [];
  return values.some((value) => !known.includes(value));
}
