import { Agent } from 'node:http';
import { contract } from '@runward/contract';
import { connections, type Measured } from '../harness/measured.ts';
import { send, type FormJob } from './form-flow.ts';

/** Runs to launch and to carry out, each with the form of every task. */
export interface RunsJob extends Pick<FormJob, 'url' | 'headers'> {
  readonly kind: 'runs';
  readonly templateId: string;
  readonly runs: number;
  readonly values: Readonly<Record<string, FormJob['values']>>;
  /**
   * How forms are filled in. `one call` is `POST /execution/submit`. The other ways open, submit and complete; they
   * submit all values in one request (`batch`) or each in its own.
   */
  readonly forms: 'one call' | 'batch' | 'single values';
}

type Run = { readonly id: string; readonly tasks: readonly { readonly taskId: string; readonly runTaskId: string }[] };

const { open, submit, submitBatch, complete, submitForm } = contract.execution;

/** Carries out runs over ten connections, one run at a time on each. Throws on an error response. */
export async function carryOutRuns({ url, headers, templateId, runs, values, forms }: RunsJob): Promise<Measured> {
  const milliseconds: number[] = [];
  const waiting = Array.from({ length: runs }).values();

  async function carryOutOneAfterTheOther(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (path: string, body: object) => send(agent, headers, 'POST', url + path, JSON.stringify(body));
    for (const _ of waiting) {
      const start = performance.now();
      const { id } = JSON.parse(await post(contract.runs.launch.path, { templateId })) as Run;
      const path = contract.runs.get.path.replace(':id', id);
      const run = JSON.parse(await send(agent, headers, 'GET', url + path)) as Run;
      for (const { taskId, runTaskId } of run.tasks) await fillIn(post, runTaskId, values[taskId] ?? [], forms);
      milliseconds.push(performance.now() - start);
    }
    agent.destroy();
  }

  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, carryOutOneAfterTheOther));
  return { seconds: (performance.now() - start) / 1000, milliseconds };
}

/** Fills in the form of a task. */
export async function fillIn(
  post: (path: string, body: object) => Promise<string>,
  runTaskId: string,
  values: FormJob['values'],
  forms: RunsJob['forms'],
): Promise<void> {
  if (forms === 'one call') {
    await post(submitForm.path, { runTaskId, values });
    return;
  }
  const { id: executionEntryId } = JSON.parse(await post(open.path, { runTaskId })) as { id: string };
  if (forms === 'batch') await post(submitBatch.path, { executionEntryId, values });
  else for (const value of values) await post(submit.path, { executionEntryId, ...value });
  await post(complete.path, { executionEntryId });
}
