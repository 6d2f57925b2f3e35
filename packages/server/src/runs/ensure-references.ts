import { formats } from '@runward/contract';
import type { Command, RunState, SubmittedValue } from '@runward/engine';
import { ensureAssignable } from '../access/ensure-assignable.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { deciderGroups } from './decider-groups.ts';
import { User } from '../organization/entities/user.ts';
import { lookUpRows } from './look-up-rows.ts';
import { lockRow } from '../database/lock-row.ts';
import { Template } from '../templates/entities/template.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/**
 * Looks up what a command on a run refers to in the organization: users, groups, a template. Throws a 400 if it does not exist. Values of
 * a submission are marked instead, so that the engine can report them together with all other invalid values. Returns the command.
 */
export async function ensureReferences(context: Context, run: RunState, command: Command): Promise<Command> {
  if (command.type === 'assign') await ensureAssignable(context, command);
  if (command.type === 'reopen') await ensureTemplate(context, run);
  if (command.type === 'grantApproval' || command.type === 'rejectApproval') {
    return { ...command, groupIds: await deciderGroups(context, command.userId) };
  }
  if (command.type !== 'submitValues' && command.type !== 'submitForm') return command;
  return { ...command, values: await withMissing(context, run, command.values) };
}

async function withMissing(
  { em, actor }: Context,
  run: RunState,
  values: readonly SubmittedValue[],
): Promise<readonly SubmittedValue[]> {
  const { organizationId } = actor;
  const fields = run.tasks.flatMap((task) => task.definition.fields);
  const types = new Map(fields.map(({ id, type }) => [id, type]));
  const userIds = values.flatMap((value) => (types.get(value.fieldId) === 'USER' ? idIn(value) : []));
  const members = new Set<string>();
  if (userIds.length > 0) {
    const active = { id: { $in: userIds }, organizationId, status: 'ACTIVE' } as const;
    for (const { id } of await em.find(User, active, { fields: ['id'] })) members.add(id);
  }
  const rows = await lookUpRows({ em, actor }, run, values);
  return values.map((value) => {
    const type = types.get(value.fieldId);
    if (type === undefined || value.value === null) return value;
    if (type === 'DATA_SOURCE') return { ...value, ...rows.get(value.fieldId) };
    const isKnown = type !== 'USER' || idIn(value).every((id) => members.has(id));
    return isKnown ? value : { ...value, missing: 'must be an active member of this organization; see GET /users' };
  });
}

/** The id that a value is. PostgreSQL cannot compare another text with an id; the engine rejects it. */
function idIn({ value }: SubmittedValue): string[] {
  return typeof value === 'string' && formats.isId(value) ? [value.toLowerCase()] : [];
}

/** A deleted template has no active runs. The lock keeps it from being deleted before the run is reopened. */
async function ensureTemplate({ em, actor }: Context, { templateId }: RunState): Promise<void> {
  const template = { organizationId: actor.organizationId, id: templateId, deletedAt: null };
  const exists = await lockRow(em, Template, template, 'key share');
  if (!exists) throw badRequest('The template of the run was deleted; its runs cannot be reopened.');
}
