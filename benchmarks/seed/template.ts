import { blankTask, type FieldDefinition, type ProcessDocument, type TaskDefinition } from '@runward/engine';
import { newId } from '@runward/server/internal/ids';
import type { Client } from 'pg';

/** A process with this many tasks. The first task may have a form of three fields. */
export function documentOf(tasks: number, hasForm = false): ProcessDocument {
  const field = (key: string, type: FieldDefinition['type']): FieldDefinition => ({
    id: newId(),
    key,
    label: key,
    type,
    required: true,
    helpText: null,
    options: [],
  });
  const task = (_: unknown, index: number): TaskDefinition => ({
    ...blankTask(newId(), `Step ${index + 1} of the process`),
    fields: hasForm && index === 0 ? [field('name', 'TEXT'), field('amount', 'NUMBER'), field('email', 'EMAIL')] : [],
  });
  return { phases: [], variables: [], tasks: Array.from({ length: tasks }, task) };
}

/** What the fields of the form are filled in with. */
export function answersFor(
  fieldIds: readonly string[],
): readonly { readonly runTaskFieldId: string; readonly value: unknown }[] {
  const answers = ['Ada Lovelace', 1815, 'ada@example.com'];
  return fieldIds.map((runTaskFieldId, index) => ({ runTaskFieldId, value: answers[index] }));
}

/** Adds a published template. Returns its id and the id of its version. */
export async function insertTemplate(
  client: Client,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  name: string,
  document: ProcessDocument,
): Promise<{ templateId: string; versionId: string }> {
  const [templateId, versionId] = [newId(), newId()];
  await client.query(
    `insert into templates (id, organization_id, name, draft, has_unpublished_changes, created_at, updated_at)
     values ($1, $2, $4, $3, false, now(), now())`,
    [templateId, organizationId, document, name],
  );
  await client.query(
    `insert into template_versions (id, organization_id, template_id, number, document, published_by_user_id, published_at)
     values ($1, $2, $3, 1, $4, $5, now())`,
    [versionId, organizationId, templateId, document, userId],
  );
  await client.query('update templates set published_version_id = $2 where id = $1', [templateId, versionId]);
  return { templateId, versionId };
}
