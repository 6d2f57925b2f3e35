import type { Api } from '@runward/testing/api';
import { launchRun, must, publishProcess } from '@runward/testing/process';

/** Publishes forms, launches a run and completes all its forms. Returns the id of the run. */
export async function completeRun(api: Api, tasks: number, fields: number): Promise<string> {
  const form = Array.from({ length: fields }, (_, place) => ({ label: `Answer ${place + 1}`, type: 'TEXT' as const }));
  const sketches = Array.from({ length: tasks }, (_, index) => ({ title: `Check of item ${index + 1}`, fields: form }));
  const { templateId } = await publishProcess(api, sketches, { name: `Audit of ${tasks}` });
  const draft = await must(api.call('templates.draft', 'get', { params: { id: templateId } }));
  const run = await launchRun(api, templateId, { title: 'Audit' });
  for (const [index, { runTaskId }] of run.tasks.entries()) {
    for (const word of ['Draft', 'Final']) {
      const values = (draft.tasks[index]?.fields ?? []).map(({ id, label }) => {
        return { runTaskFieldId: id, value: `${word}: ${label} was checked and found to be in order.` };
      });
      const body = { runTaskId, values, complete: word === 'Final' };
      await must(api.call('execution', 'submitForm', { body }));
    }
  }
  return run.id;
}
