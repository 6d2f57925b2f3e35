import { canHoldTasks, type UserRole } from '@runward/contract';
import type { ApprovalInput } from '@runward/engine';
import { badRequest } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { Group } from '../organization/entities/group.ts';
import { User } from '../organization/entities/user.ts';
import type { RequestContext } from './request-context.ts';

/** The assignee and the approvers of a task, as a caller sends them; `path` leads to the fields. */
export interface Assignment {
  readonly path?: string;
  readonly assigneeId?: string | null | undefined;
  readonly assigneeGroupId?: string | null | undefined;
  readonly approval?: ApprovalInput | null | undefined;
}

/** The id of a member or of a group, and the path of the field that contains it. */
export interface Reference {
  readonly kind: 'member' | 'group';
  readonly id: string;
  readonly path: string;
}

/** The active members, with their roles, and the groups among those that assignments name. */
export interface Assignable {
  readonly roles: ReadonlyMap<string, UserRole>;
  readonly groupIds: ReadonlySet<string>;
}

/**
 * Throws a 400 for each assignee and approver of a task that is not an active member, or not a group, of the
 * organization, or whose role cannot hold tasks; `path` leads to the fields. The groups cannot be deleted before the
 * transaction ends.
 */
export async function ensureAssignable(
  context: Pick<RequestContext, 'em' | 'actor'>,
  assignment: Assignment,
  path = '',
): Promise<void> {
  const problems = await assigneeProblems(context, [{ ...assignment, path }]);
  if (problems.length > 0) throw badRequest(problems);
}

/**
 * A message for each assignee and approver that is not an active member, or not a group, of the organization, or whose
 * role cannot hold tasks. The groups cannot be deleted before the transaction ends.
 */
export async function assigneeProblems(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  assignments: readonly Assignment[],
): Promise<string[]> {
  const references = assignments.flatMap(referencesIn);
  const idsOf = (kind: Reference['kind']) => [
    ...new Set(references.flatMap((reference) => (reference.kind === kind ? reference.id : []))),
  ];
  const userIds = idsOf('member');
  const members = { organizationId, id: { $in: userIds }, status: 'ACTIVE' as const };
  const found = userIds.length === 0 ? [] : await em.find(User, members);
  const groupIds = new Set<string>();
  // Locked in a fixed order, so that two requests cannot block each other.
  for (const id of idsOf('group').toSorted()) {
    if (await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'key share')) groupIds.add(id);
  }
  return unassignable(assignments, { roles: new Map(found.map(({ id, role }) => [id, role])), groupIds });
}

/** A message for each assignee and approver that is not in `assignable`, or whose role cannot hold tasks. */
export function unassignable(assignments: readonly Assignment[], { roles, groupIds }: Assignable): string[] {
  const known = new Set([...roles.keys(), ...groupIds]);
  return assignments.flatMap(referencesIn).flatMap((reference) => {
    const role = roles.get(reference.id);
    if (role === undefined || canHoldTasks(role)) return unknownReferences([reference], known);
    return [
      `${reference.path}: a member with the role ${role}, which cannot hold tasks; name another member, or change the role`,
    ];
  });
}

/** A message for each reference that is not in `known`, the ids of active members and groups. */
export function unknownReferences(references: readonly Reference[], known: ReadonlySet<string>): string[] {
  return references.flatMap(({ kind, id, path }) => {
    if (known.has(id)) return [];
    const problem = kind === 'member' ? 'not an active member' : 'not a group';
    return [`${path}: ${problem} of this organization; see GET /${kind === 'member' ? 'users' : 'groups'}`];
  });
}

function referencesIn({ path = '', assigneeId, assigneeGroupId, approval }: Assignment): Reference[] {
  const references = (kind: Reference['kind'], name: string, ids: readonly string[] = []) =>
    ids.map((id, index): Reference => ({ kind, id, path: `${path}approval.${name}[${index}]` }));
  return [
    ...(assigneeId == null ? [] : [{ kind: 'member' as const, id: assigneeId, path: `${path}assigneeId` }]),
    ...(assigneeGroupId == null
      ? []
      : [{ kind: 'group' as const, id: assigneeGroupId, path: `${path}assigneeGroupId` }]),
    ...references('member', 'approverIds', approval?.approverIds),
    ...references('group', 'approverGroupIds', approval?.approverGroupIds),
  ];
}
