import type { ApprovalDefinition, TaskDefinition } from '../process.ts';

/** An approval as sent by a caller. By default nobody is named, the policy is ANY, and nobody approves their own work. */
export interface ApprovalInput {
  readonly approverIds?: readonly string[] | undefined;
  readonly approverGroupIds?: readonly string[] | undefined;
  readonly policy?: ApprovalDefinition['policy'] | undefined;
  readonly allowSelfApproval?: boolean | undefined;
}

/** An approval with the defaults of a new one. */
export function newApproval(approval: ApprovalInput): ApprovalDefinition {
  const { approverIds = [], approverGroupIds = [], policy = 'ANY', allowSelfApproval = false } = approval;
  return { approverIds, approverGroupIds, policy, allowSelfApproval };
}

/** Whether a task has an approval that cannot say which of its entries it concerns. */
export function isAmbiguous({ approval, repeatable }: Pick<TaskDefinition, 'approval' | 'repeatable'>): boolean {
  return approval !== null && repeatable;
}
