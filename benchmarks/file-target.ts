import { createClient, type Client } from '@runward/sdk';

/** An open form with a field for files. */
export interface FileForm {
  readonly executionEntryId: string;
  readonly runTaskFieldId: string;
}

/** Most files of a field. */
const filesPerForm = 20;

/** A client of the service under measurement. */
export function clientOf(baseUrl: string, apiKey: string): Client {
  return createClient({ apiKey, baseUrl, maxRetries: 0, timeoutMs: 600_000 });
}

/** Publishes a template with a form for files. Returns a function that opens the form of a new run. */
export async function fileForms(api: Client): Promise<() => Promise<FileForm>> {
  const { id: templateId } = await api.templates.create({ name: 'Files' });
  const task = await api.templates.tasks.create(templateId, { title: 'Attach' });
  const field = { label: 'Documents', type: 'FILE_UPLOAD' } as const;
  const { id: runTaskFieldId } = await api.templates.fields.create(templateId, task.id, field);
  await api.templates.publish(templateId);
  return async () => {
    const { id } = await api.runs.launch({ templateId });
    const runTaskId = (await api.runs.get(id)).tasks[0]?.runTaskId ?? '';
    return { executionEntryId: (await api.execution.open({ runTaskId })).id, runTaskFieldId };
  };
}

/** The forms for a number of files. */
export async function formsFor(open: () => Promise<FileForm>, files: number): Promise<FileForm[]> {
  const forms: FileForm[] = [];
  while (forms.length * filesPerForm < files) forms.push(await open());
  return forms;
}
