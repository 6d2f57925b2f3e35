import type { ApprovalDefinition } from '@runward/engine';
import type { ApprovalEntry } from './template-file.ts';

/** How members and groups are called on the other side. */
export interface PeopleNames {
  user(name: string): string;
  group(name: string): string;
}

/** An approval of a file as the API takes it. */
export function toApproval({ approvers, approverGroups, ...rest }: ApprovalEntry, names: PeopleNames) {
  return { ...rest, approverIds: approvers.map(names.user), approverGroupIds: approverGroups.map(names.group) };
}

/** An approval as a file says it. */
export function toApprovalEntry(approval: ApprovalDefinition, names: PeopleNames): ApprovalEntry {
  const { approverIds, approverGroupIds, policy, allowSelfApproval } = approval;
  const [approvers, approverGroups] = [approverIds.map(names.user), approverGroupIds.map(names.group)];
  return { approvers, approverGroups, policy, allowSelfApproval };
}
