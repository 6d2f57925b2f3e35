import { contract } from '@runward/contract';
import type { Measured } from '../harness/measured.ts';
import { overConnections, send } from './connections.ts';
import { fillIn, type FormJob, type FormWay } from './form-flow.ts';

/** Runs to launch and to carry out, each with the form of every task. */
export interface RunsJob extends Pick<FormJob, 'url' | 'headers'> {
  readonly kind: 'runs';
  readonly templateId: string;
  readonly runs: number;
  readonly values: Readonly<Record<string, FormJob['values']>>;
  readonly forms: FormWay;
}

type Run = { readonly id: string; readonly tasks: readonly { readonly taskId: string; readonly runTaskId: string }[] };

/** Carries out runs over ten connections, one run at a time on each. Throws on an error response. */
export async function carryOutRuns({ url, headers, templateId, runs, values, forms }: RunsJob): Promise<Measured> {
  const milliseconds: number[] = [];
  const seconds = await overConnections(Array.from({ length: runs }), async (_, agent) => {
    const post = (path: string, body: object) => send(agent, headers, 'POST', url + path, JSON.stringify(body));
    const start = performance.now();
    const { id } = JSON.parse(await post(contract.runs.launch.path, { templateId })) as Run;
    const path = contract.runs.get.path.replace(':id', id);
    const run = JSON.parse(await send(agent, headers, 'GET', url + path)) as Run;
    for (const { taskId, runTaskId } of run.tasks) await fillIn(post, runTaskId, values[taskId] ?? [], forms);
    milliseconds.push(performance.now() - start);
  });
  return { seconds, milliseconds };
}
