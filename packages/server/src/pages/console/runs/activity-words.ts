import type { Activity } from '@runward/sdk';

/** What happened, with the title of the task in place of the asterisk. */
const words: Readonly<Record<string, string>> = {
  'run.started': 'Started the run',
  'run.migrated': 'Moved the run to another version of its template',
  'run.rules_synchronized': 'Took over the rules of a later version',
  'run.renamed': 'Renamed the run',
  'run.completed': 'Completed the run',
  'run.cancelled': 'Cancelled the run',
  'run.reopened': 'Reopened the run',
  'run.archived': 'Archived the run',
  'run.unarchived': 'Unarchived the run',
  'run.overdue': 'The run became overdue',
  'run.on_time': 'The run is no longer overdue',
  'task.completed': 'Completed *',
  'task.reopened': 'Reopened *',
  'task.due_date_changed': 'Changed the deadline of *',
  'task.deadline_moved': 'Moved the deadline of * with the settings of the organization',
  'task.assigned': 'Assigned *',
  'task.hidden': 'A rule hid *',
  'task.shown': 'A rule showed *',
  'field.hidden': 'A rule hid a field of *',
  'field.shown': 'A rule showed a field of *',
  'task.blocked': '* waits for other tasks',
  'task.unblocked': '* no longer waits',
  'task.due_soon': '* is due soon',
  'task.overdue': '* became overdue',
  'approval.requested': 'Requested the approval of *',
  'approval.granted': 'Approved *',
  'approval.rejected': 'Rejected *',
  'approval.invalidated': 'The approval of * is no longer valid',
  'variable.set': 'A rule set a variable',
  'variable.reset': 'A rule reset a variable',
  'entry.opened': 'Opened the form of *',
  'value.submitted': 'Submitted a value of *',
  'file.removed': 'Removed an infected file of *',
  'entry.completed': 'Completed the form of *',
  'entry.reopened': 'Reopened the form of *',
  'entry.discarded': 'Discarded the form of *',
  'comment.created': 'Commented on *',
  'comment.edited': 'Edited a comment on *',
  'comment.deleted': 'Deleted a comment on *',
};

/** A line of the activity as a sentence. `titleOf` names a task. */
export function activityInWords(
  { type, runTaskId, data }: Pick<Activity, 'type' | 'runTaskId' | 'data'>,
  titleOf: (runTaskId: string) => string,
): string {
  const title = runTaskId === null ? 'the run' : `“${titleOf(runTaskId)}”`;
  const sentence = (words[type] ?? type).replace('*', () => title);
  return type === 'run.renamed' ? `${sentence} to “${String(data['title'])}”` : sentence;
}
