import type { ApprovalDefinition, TaskDefinition } from '../process.ts';

/** An approval as callers send it. Defaults: nobody named, policy ANY, no self-approval. */
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

/** Whether it is unclear which entry an approval concerns, because the task is repeatable. */
export function isAmbiguous({ approval, repeatable }: Pick<TaskDefinition, 'approval' | 'repeatable'>): boolean {
  return approval !== null && repeatable;
}
