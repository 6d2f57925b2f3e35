import { defaultLimits } from '@runward/contract';
import { createClient, type Client } from '@runward/sdk';

/** An open form with a field for files. */
export interface FileForm {
  readonly executionEntryId: string;
  readonly runTaskFieldId: string;
}

/** Most files of a form. */
export const filesPerForm = 20;

/** Most files that an organization may send at a time. */
export const uploadsAtATime = defaultLimits.streams;

/** A client of the service under measurement. */
export function clientOf(baseUrl: string, apiKey: string): Client {
  return createClient({ apiKey, baseUrl, maxRetries: 0, timeoutMs: 600_000 });
}

/** A published template with a single task, whose form takes files. */
export interface FileTemplate {
  readonly templateId: string;
  readonly runTaskFieldId: string;
}

/** Publishes a template with a form for files. */
export async function publishFileTemplate(api: Client): Promise<FileTemplate> {
  const { id: templateId } = await api.templates.create({ name: 'Files' });
  const task = await api.templates.tasks.create(templateId, { title: 'Attach' });
  const field = { label: 'Documents', type: 'FILE_UPLOAD' } as const;
  const { id: runTaskFieldId } = await api.templates.fields.create(templateId, task.id, field);
  await api.templates.publish(templateId);
  return { templateId, runTaskFieldId };
}

/** Opens the form of a new run. */
export async function openFileForm(api: Client, { templateId, runTaskFieldId }: FileTemplate): Promise<FileForm> {
  const { id } = await api.runs.launch({ templateId });
  const runTaskId = (await api.runs.get(id)).tasks[0]?.runTaskId ?? '';
  return { executionEntryId: (await api.execution.open({ runTaskId })).id, runTaskFieldId };
}
