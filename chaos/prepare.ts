import type { Client } from '@runward/sdk';
import { webhooks } from './webhooks.ts';

/** The published template that clients launch: three tasks, the first with a form of one field. */
export interface Template {
  readonly templateId: string;
  readonly fieldId: string;
}

/** Publishes the template and registers the webhooks. */
export async function prepare(api: Client, receiverUrl: string): Promise<Template> {
  const { id } = await api.templates.create({ name: 'Chaos' });
  const form = await api.templates.tasks.create(id, { title: 'Form' });
  const { id: fieldId } = await api.templates.fields.create(id, form.id, {
    label: 'Text',
    type: 'TEXT',
    required: true,
  });
  for (const title of ['Check', 'File']) await api.templates.tasks.create(id, { title });
  await api.templates.publish(id);
  for (const { path, events } of webhooks) {
    await api.webhooks.create({ name: path, url: `${receiverUrl}${path}`, enabledEvents: [...events] });
  }
  return { templateId: id, fieldId };
}
