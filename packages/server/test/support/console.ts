import type { TestOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess, type TaskSketch } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** Launches a run with these tasks, and signs the owner in. */
export async function beginTask(app: Pick<SharedApp, 'baseUrl'>, org: TestOrganization, tasks: readonly TaskSketch[]) {
  const process = await publishProcess(org.api, tasks);
  const run = await launchRun(org.api, process.templateId);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const taskId = (title: string) => run.byTitle(title).runTaskId;
  return {
    run,
    process,
    member,
    taskId,
    /** The path of the page of a task. */
    path: (title: string) => `/console/tasks/${taskId(title)}`,
    /** The name of the control of a field. */
    id: (key: string) => `f-${process.fields[key]?.id}`,
    /** The values of the newest entry of a task, by the keys of their fields. */
    values: async (title: string) => {
      const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId: taskId(title) } }));
      return Object.fromEntries(data[0]?.fieldValues.map(({ key, value }) => [key, value]) ?? []);
    },
  };
}
