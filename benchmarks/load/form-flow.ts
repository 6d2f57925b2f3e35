import { contract } from '@runward/contract';
import type { Measured } from '../harness/measured.ts';
import { overConnections, send } from './connections.ts';

/** Forms to fill in, one flow each: open, submit every value, complete. */
export interface FormJob {
  readonly kind: 'forms';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One task per flow. Its form must not have been opened. */
  readonly runTaskIds: readonly string[];
  readonly values: readonly { readonly runTaskFieldId: string; readonly value: unknown }[];
}

/**
 * How forms are filled in. `one call` is `POST /execution/submit`. The other ways open, submit and complete; they
 * submit all values in one request (`batch`) or each in its own.
 */
export type FormWay = 'one call' | 'batch' | 'single values';

const { open, submit, submitBatch, complete, submitForm } = contract.execution;

/** Fills in forms over ten connections, one flow at a time on each. Throws on an error response. */
export async function fillForms({ url, headers, runTaskIds, values }: FormJob): Promise<Measured> {
  const milliseconds: number[] = [];
  const seconds = await overConnections(runTaskIds, async (runTaskId, agent) => {
    const post = (path: string, body: object) => send(agent, headers, 'POST', url + path, JSON.stringify(body));
    const start = performance.now();
    await fillIn(post, runTaskId, values, 'single values');
    milliseconds.push(performance.now() - start);
  });
  return { seconds, milliseconds };
}

/** Fills in the form of a task. */
export async function fillIn(
  post: (path: string, body: object) => Promise<string>,
  runTaskId: string,
  values: FormJob['values'],
  way: FormWay,
): Promise<void> {
  if (way === 'one call') {
    await post(submitForm.path, { runTaskId, values });
    return;
  }
  const { id: executionEntryId } = JSON.parse(await post(open.path, { runTaskId })) as { id: string };
  if (way === 'batch') await post(submitBatch.path, { executionEntryId, values });
  else for (const value of values) await post(submit.path, { executionEntryId, ...value });
  await post(complete.path, { executionEntryId });
}
