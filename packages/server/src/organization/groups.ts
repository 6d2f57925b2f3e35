import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import { recordChange, type AuditProperties, type AuditTarget } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { instant } from '../database/instant.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { GroupMember } from './entities/group-member.ts';
import { Group } from './entities/group.ts';
import { User } from './entities/user.ts';
import { countOpenTasks, countRunsNaming, countTemplatesNaming, replaceMembers } from './queries/change-group.ts';
import { findGroup, listGroups, type GroupRow } from './queries/list-groups.ts';

/** Groups of members. */
export const groups: Handlers<Parts['groups']> = {
  list: async ({ em, actor: { organizationId }, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const read = await listGroups(em, organizationId, { limit, after });
    return pageOf({ ...read, limit }, presentGroup, ({ name, id }) => [name, id]);
  },

  create: async ({ body: { name, memberIds = [] }, ...context }) => {
    const { em, actor, now } = context;
    await ensureMembers(context, memberIds);
    const group = { id: newId(), organizationId: actor.organizationId, name, createdAt: now };
    em.create(Group, group);
    await em.flush();
    await replaceMembers(em, group, memberIds);
    const created = await readGroup(context, group.id);
    await recordChange(context, { action: 'group.created', target: targetOf(created), after: propertiesOf(created) });
    return created;
  },

  get: async ({ params, ...context }) => readGroup(context, params.id),

  update: async ({ params: { id }, body: { name, memberIds }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await lockGroup(em, organizationId, id);
    const before = await readGroup(context, id);
    if (memberIds) {
      await ensureMembers(context, memberIds);
      await replaceMembers(em, { organizationId, id }, memberIds);
    }
    if (name !== undefined) await em.nativeUpdate(Group, { id, organizationId }, { name });
    const after = await readGroup(context, id);
    const changed = { before: propertiesOf(before), after: propertiesOf(after) };
    await recordChange(context, { action: 'group.updated', target: targetOf(after), ...changed });
    return after;
  },

  delete: async ({ params: { id }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    await lockGroup(em, organizationId, id);
    const tasks = await countOpenTasks(em, organizationId, id);
    const templates = await countTemplatesNaming(em, organizationId, id);
    const runs = await countRunsNaming(em, organizationId, id);
    if (tasks > 0 || templates > 0 || runs > 0) throw badRequest('in_use', inUse(tasks, templates, runs));
    const group = await readGroup(context, id);
    await em.nativeDelete(GroupMember, { organizationId, groupId: id });
    await em.nativeUpdate(Group, { id, organizationId }, { deletedAt: now });
    await recordChange(context, { action: 'group.deleted', target: targetOf(group), before: propertiesOf(group) });
  },
};

function inUse(tasks: number, templates: number, runs: number): string {
  const uses = [
    tasks > 0 && (tasks === 1 ? '1 open task is assigned to it' : `${tasks} open tasks are assigned to it`),
    templates > 0 &&
      (templates === 1
        ? 'the draft or published version of 1 template names it'
        : `drafts or published versions of ${templates} templates name it`),
    runs > 0 &&
      (runs === 1
        ? 'the approvals or rules of 1 active run name it'
        : `the approvals or rules of ${runs} active runs name it`),
  ].filter((use) => use !== false);
  const remedies = [
    templates > 0 && 'reassign these tasks and publish',
    templates === 0 && tasks > 0 && (tasks === 1 ? 'reassign the task' : 'reassign the tasks'),
    runs > 0 && (runs === 1 ? 'complete, cancel or migrate the run' : 'complete, cancel or migrate the runs'),
  ].filter((remedy) => remedy !== false);
  return `The group cannot be deleted while ${uses.join(' and ')}; ${remedies.join(' and ')} first.`;
}

async function readGroup({ em, actor }: RequestContext, id: string): Promise<Response<Contract['groups']['get']>> {
  return presentGroup(found(await findGroup(em, actor.organizationId, id), 'Group'));
}

/** A group, as the audit log names it. */
function targetOf({ id, name }: Pick<GroupRow, 'id' | 'name'>): AuditTarget {
  return { type: 'GROUP', id, label: name };
}

/** The properties of a group that the audit log compares. */
function propertiesOf({ name, memberIds }: Pick<GroupRow, 'name' | 'memberIds'>): AuditProperties {
  return { name, memberIds };
}

function presentGroup({ createdAt, ...row }: GroupRow): Response<Contract['groups']['get']> {
  return { ...row, createdAt: instant(createdAt) };
}

/** Locks a group: until the transaction ends, nothing can refer to it, change it or delete it. Throws a 404. */
async function lockGroup(em: Em, organizationId: string, id: string): Promise<void> {
  if (!(await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'update'))) throw notFound('Group');
}

async function ensureMembers({ em, actor }: RequestContext, ids: readonly string[]): Promise<void> {
  const { organizationId } = actor;
  const members = await em.find(
    User,
    { organizationId, status: 'ACTIVE', id: { $in: [...ids] } },
    { fields: ['id'], disableIdentityMap: true },
  );
  const known = new Set(members.map(({ id }) => id));
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    throw badRequest(
      unknown.map((index) => `memberIds[${index}]: not an active member of this organization; see GET /users`),
    );
  }
}
