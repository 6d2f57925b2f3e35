import type { Client } from '@runward/sdk';
import { webhooks } from '../processes/webhooks.ts';
import type { MailMembers } from './mail-members.ts';
import { ruleOf } from './publisher.ts';

/**
 * The published template for the clients. It has three required tasks, the first with a form of one field, and three
 * optional tasks.
 */
export interface Template extends MailMembers {
  readonly templateId: string;
  readonly fieldId: string;
  readonly formId: string;
  /** A task that needs an approval. Its form has one field. */
  readonly approvalTaskId: string;
  readonly approvalFieldId: string;
  /** Who may approve it. */
  readonly approverIds: readonly string[];
  /** The field for files of the task `Attach`. */
  readonly fileFieldId: string;
  /** A task that the first version does not contain. */
  readonly optionalId: string;
  readonly ruleId: string;
  /** The first two versions. */
  readonly versionIds: readonly [string, string];
}

/** Publishes the template and registers the webhooks. */
export async function prepare(
  api: Client,
  receiverUrl: string,
  approverId: string,
  members: MailMembers,
): Promise<Template> {
  // The approver decides; the other members are only notified.
  const approverIds = [approverId, ...members.memberIds];
  const { id } = await api.templates.create({ name: 'Chaos' });
  const form = await api.templates.tasks.create(id, { title: 'Form' });
  const { id: fieldId } = await api.templates.fields.create(id, form.id, {
    label: 'Text',
    type: 'TEXT',
    required: true,
  });
  for (const title of ['Check', 'File']) await api.templates.tasks.create(id, { title });
  const pay = await api.templates.tasks.create(id, { title: 'Pay', required: false, approval: { approverIds } });
  const amount = { label: 'Amount', type: 'TEXT', required: true } as const;
  const { id: approvalFieldId } = await api.templates.fields.create(id, pay.id, amount);
  const attach = await api.templates.tasks.create(id, { title: 'Attach', required: false });
  const documents = { label: 'Documents', type: 'FILE_UPLOAD' } as const;
  const { id: fileFieldId } = await api.templates.fields.create(id, attach.id, documents);
  const first = await api.templates.publish(id);
  const { id: optionalId } = await api.templates.tasks.create(id, { title: 'Note', required: false });
  const rule = await api.templates.rules.create(id, form.id, ruleOf({ fieldId, optionalId }, 'a'));
  const second = await api.templates.publish(id);
  for (const { path, events, ordered = false } of webhooks) {
    await api.webhooks.create({ name: path, url: `${receiverUrl}${path}`, enabledEvents: [...events], ordered });
  }
  const versionIds = [first.id, second.id] as const;
  return {
    templateId: id,
    fieldId,
    formId: form.id,
    approvalTaskId: pay.id,
    approvalFieldId,
    approverIds,
    ...members,
    fileFieldId,
    optionalId,
    ruleId: rule.id,
    versionIds,
  };
}
