import type { Client } from '@runward/sdk';
import { hooks } from './hooks.ts';

/** The process that clients carry out: three tasks, the first with a form of one field. */
export interface Process {
  readonly templateId: string;
  readonly fieldId: string;
}

/** Publishes the process and registers the webhooks. */
export async function prepare(api: Client, receiverUrl: string): Promise<Process> {
  const { id } = await api.templates.create({ name: 'Chaos' });
  const form = await api.templates.tasks.create(id, { title: 'Form' });
  const { id: fieldId } = await api.templates.fields.create(id, form.id, {
    label: 'Text',
    type: 'TEXT',
    required: true,
  });
  for (const title of ['Check', 'File']) await api.templates.tasks.create(id, { title });
  await api.templates.publish(id);
  for (const { path, events } of hooks) {
    await api.webhooks.create({ name: path, url: `${receiverUrl}${path}`, enabledEvents: [...events] });
  }
  return { templateId: id, fieldId };
}
