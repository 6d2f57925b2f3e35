import type { ActionInput } from '@runward/engine';
import type { Assignment } from '../../access/ensure-assignable.ts';

/** The assignments in the actions of a rule. `path` leads to the rule. */
export function assignmentsOf(actions: readonly ActionInput[], path = ''): Assignment[] {
  return actions.flatMap((action, index) => {
    if (action.type !== 'ASSIGN') return [];
    const { assigneeId, assigneeGroupId } = action;
    return [{ path: `${path}actions[${index}].`, assigneeId, assigneeGroupId }];
  });
}
