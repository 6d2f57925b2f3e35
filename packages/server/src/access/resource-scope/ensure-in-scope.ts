import type { Em } from '../../database/database.ts';
import { Template } from '../../templates/entities/template.ts';
import type { Actor, Assigned, ResourceScope } from '../actor.ts';
import { outOfScope } from './out-of-scope.ts';

/** Whose task it is, and who approves it. */
export interface Responsibility {
  readonly id: string;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly definition: {
    readonly approval: { readonly approverIds: readonly string[]; readonly approverGroupIds: readonly string[] } | null;
  };
}

/** A template, by which access to it and to its runs is decided. */
type ScopedTemplate = Readonly<Pick<Template, 'id'> & Record<'folderId', string | null>>;

/**
 * Whether a template in this folder is in a resource scope. A scope that only has the tasks of a member contains one of
 * them, if it is given: `task`.
 */
export function isInScope(scope: ResourceScope, template: ScopedTemplate, task: Responsibility | null = null): boolean {
  switch (scope.mode) {
    case 'ALL':
      return true;
    case 'ASSIGNED':
      return task !== null && isOne(scope, task) && (isAssigned(scope, task) || approves(scope, task));
    default:
      return (
        scope.templateIds.includes(template.id) ||
        (template.folderId !== null && scope.folderIds.includes(template.folderId))
      );
  }
}

/** Throws a 403 if a template in this folder is outside the caller's resource scope; `task` as for `isInScope`. */
export function ensureInScope(actor: Actor, template: ScopedTemplate, task: Responsibility | null = null): void {
  if (isInScope(actor.resourceScope, template, task)) return;
  throw actor.resourceScope.mode === 'ASSIGNED'
    ? outOfScope(actor, 'grant access to this record', 'use another key')
    : outOfScope(actor, 'grant access to this template', 'use a key that lists it or its folder');
}

/**
 * Throws a 403 if the caller only has the tasks that are theirs, and may not do this one: approving it is not enough.
 */
export function ensureMayDo(actor: Actor, task: Responsibility | null): void {
  const { resourceScope } = actor;
  if (resourceScope.mode !== 'ASSIGNED' || (task && isAssigned(resourceScope, task))) return;
  throw outOfScope(actor, 'allow this for a task that is not assigned to you', 'use another key');
}

/** Whether a session that a form link began is for this task. */
function isOne({ runTaskId }: Assigned, { id }: Responsibility): boolean {
  return runTaskId === null || runTaskId === id;
}

function isAssigned({ userId, groupIds }: Assigned, { assigneeId, assigneeGroupId }: Responsibility): boolean {
  return assigneeId === userId || (assigneeGroupId !== null && groupIds.includes(assigneeGroupId));
}

function approves({ userId, groupIds }: Assigned, { definition: { approval } }: Responsibility): boolean {
  if (!approval) return false;
  return approval.approverIds.includes(userId) || approval.approverGroupIds.some((id) => groupIds.includes(id));
}

/** The same as `ensureInScope` for a template of which only the id is known, such as the template of a run. */
export async function ensureTemplateInScope(em: Em, actor: Actor, templateId: string): Promise<void> {
  if (actor.resourceScope.mode === 'ALL') return;
  const { organizationId } = actor;
  const template = await em.findOne(Template, { id: templateId, organizationId }, { fields: ['id', 'folderId'] });
  ensureInScope(actor, { id: templateId, folderId: template?.folderId ?? null });
}
