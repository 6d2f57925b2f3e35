import { formats, type FieldType } from '@runward/contract';
import type { Command, RunState, SubmittedValue } from '@runward/engine';
import { ensureAssignable } from '../access/ensure-assignable.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { User } from '../organization/entities/user.ts';
import { lockRow } from '../database/lock-row.ts';
import { Template } from '../templates/entities/template.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** What a value of these types refers to. None of it exists in this version of the service. */
const unavailable: Partial<Record<FieldType, string>> = {
  FILE_UPLOAD: 'file',
  SIGNATURE: 'file',
  IMAGE: 'file',
  DATA_SOURCE: 'data-source row',
};

/** Throws a 400 if a command on a run refers to something that does not exist in the organization: a user, a group, a template. */
export async function ensureReferences(context: Context, run: RunState, command: Command): Promise<void> {
  if (command.type === 'assign') await ensureAssignable(context, command);
  if (command.type === 'submitValues') await ensureValues(context, run, command.values);
  if (command.type === 'reopen') await ensureTemplate(context, run);
}

async function ensureValues({ em, actor }: Context, run: RunState, values: readonly SubmittedValue[]): Promise<void> {
  const { organizationId } = actor;
  const fields = new Map(run.tasks.flatMap((task) => task.definition.fields.map((field) => [field.id, field])));
  for (const { fieldId, value } of values) {
    const field = fields.get(fieldId);
    if (!field || value === null) continue;
    const kind = unavailable[field.type];
    if (kind) throw badRequest(`value: "${field.label}" refers to a ${kind} that does not exist in this organization`);
    // PostgreSQL cannot compare another text with an id; the engine rejects it.
    if (field.type === 'USER' && typeof value === 'string' && formats.isId(value)) {
      const exists = await em.count(User, { id: value.toLowerCase(), organizationId, status: 'ACTIVE' });
      if (!exists)
        throw badRequest(`value: "${field.label}" must be an active member of this organization; see GET /users`);
    }
  }
}

/** A deleted template has no active runs. The lock keeps it from being deleted before the run is reopened. */
async function ensureTemplate({ em, actor }: Context, { templateId }: RunState): Promise<void> {
  const template = { organizationId: actor.organizationId, id: templateId, deletedAt: null };
  const exists = await lockRow(em, Template, template, 'key share');
  if (!exists) throw badRequest('The template of the run was deleted; its runs cannot be reopened.');
}
