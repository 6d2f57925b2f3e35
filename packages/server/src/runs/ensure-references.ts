import type { FieldType, FieldValue } from '@runward/contract';
import type { RunState } from '@runward/engine';
import { z } from 'zod';
import type { RequestContext } from '../access/request-context.ts';
import { User } from '../organization/entities/user.ts';
import { badRequest } from '../api-error.ts';

/** What a value of these types refers to, and that nothing of the kind exists in this version of the service. */
const unavailable: Partial<Record<FieldType, string>> = {
  FILE_UPLOAD: 'file',
  SIGNATURE: 'file',
  IMAGE: 'file',
  DATA_SOURCE: 'data-source row',
};

const uuid = z.guid();

/** Throws a 400 where a submitted value names a record that the organization does not have. */
export async function ensureReferences(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  run: RunState,
  values: readonly { fieldId: string; value: FieldValue }[],
): Promise<void> {
  const fields = new Map(run.tasks.flatMap((task) => task.definition.fields.map((field) => [field.id, field])));
  for (const { fieldId, value } of values) {
    const field = fields.get(fieldId);
    if (!field || value === null) continue;
    const kind = unavailable[field.type];
    if (kind) throw badRequest(`value: "${field.label}" names a ${kind} that does not exist in this organization.`);
    // PostgreSQL cannot compare any other text with an id; the engine rejects it as no user id.
    if (field.type === 'USER' && typeof value === 'string' && uuid.safeParse(value).success) {
      const known = await em.count(User, { id: value.toLowerCase(), organizationId, status: 'ACTIVE' });
      if (!known) throw badRequest(`value: "${field.label}" names no active member of the organization.`);
    }
  }
}
