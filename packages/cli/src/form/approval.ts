import { isPermissionError, type Client, type TaskListItem } from '@runward/sdk';
import { rejected } from '../errors.ts';
import { anyPeople, readPeople, type People } from '../template-file/people.ts';

/** A task with its approval, from a run or from a list. */
type Task = Pick<TaskListItem, 'title' | 'approval'>;

/**
 * Checks that a task is not waiting for approval or rejected. `remedy` says what to do about a rejection.
 *
 * @throws CliError naming the approvers, or the comment of the rejection
 */
export async function checkApproval(client: Client, task: Task, remedy: string): Promise<void> {
  if (task.approval?.status === 'REQUESTED') throw rejected(await waitingText(client, task));
  const rejection = await rejectionText(client, task);
  if (rejection !== null) throw rejected(rejection, remedy);
}

/** Names the approvers that a task is waiting for, or their ids if the API key cannot read members. */
export async function waitingText(client: Client, { title, approval }: Task): Promise<string> {
  const { approverIds = [], approverGroupIds = [], decisions = [], policy, allowSelfApproval } = approval ?? {};
  const { users, groups } = await peopleIfAllowed(client);
  const named = [...approverIds.map(users.nameOf), ...approverGroupIds.map((id) => `the group ${groups.nameOf(id)}`)];
  const others = `anyone who may change runs${allowSelfApproval ? '' : ' and did not fill in its form'}`;
  const whose = named.length > 0 ? named.join(policy === 'ALL' ? ' and ' : ' or ') : others;
  const agreed = decisions.map(({ userId }) => users.nameOf(userId));
  const soFar = agreed.length > 0 ? ` Approved so far by: ${agreed.join(', ')}.` : '';
  return `"${title}" is waiting for approval of ${whose}.${soFar}`;
}

/** Who rejected a task, and why. Null if it is not rejected. */
export async function rejectionText(client: Client, { title, approval }: Task): Promise<string | null> {
  if (approval?.status !== 'REJECTED') return null;
  const { userId, comment } = approval.decisions.findLast(({ decision }) => decision === 'REJECTED') ?? {};
  const { users } = await peopleIfAllowed(client);
  return `"${title}" was rejected by ${userId === undefined ? 'an approver' : users.nameOf(userId)}: ${comment ?? ''}`;
}

async function peopleIfAllowed(client: Client): Promise<People> {
  try {
    return await readPeople(client, { users: true, groups: true, sources: false });
  } catch (error) {
    if (isPermissionError(error)) return anyPeople();
    throw error;
  }
}
