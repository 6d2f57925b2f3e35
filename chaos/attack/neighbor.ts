import { setTimeout as pause } from 'node:timers/promises';
import { createClient, RunwardError, type Client } from '@runward/sdk';
import { untilStopped, type Stoppable } from '../workloads/stoppable.ts';

/** What the neighbor of an attacker has seen in a time. */
export interface Seen {
  readonly milliseconds: readonly number[];
  /** What was not a success, as text. */
  readonly failures: readonly string[];
}

/** An organization that works steadily beside the attacker. */
export interface Neighbor extends Stoppable {
  /** What it has seen since the last call. */
  seen(): Seen;
  /** The runs that it has completed, by the responses. */
  readonly completed: readonly string[];
}

/** Requests begin this long after one another, whether or not earlier ones have ended. */
const pauseMs = 500;

/**
 * Starts the work: launch a run, read it, fill in and complete its form, read a list, over and over. Each request is
 * sent once; a failure is not repeated, so that it is seen.
 */
export async function startNeighbor(baseUrl: string, apiKey: string): Promise<Neighbor> {
  const api = createClient({ baseUrl, apiKey, maxRetries: 0, timeoutMs: 15_000 });
  const { id: templateId } = await api.templates.create({ name: 'Steady' });
  const tasks = [{ title: 'Form', fields: [{ label: 'Name', type: 'TEXT' as const }] }];
  await api.templates.draft.replace(templateId, { phases: [], variables: [], tasks });
  await api.templates.publish(templateId);
  const fieldId = (await api.templates.draft.get(templateId)).tasks[0]?.fields[0]?.id ?? '';

  let milliseconds: number[] = [];
  let failures: string[] = [];
  const completed: string[] = [];
  const timed = async <Result>(name: string, call: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    try {
      return await call();
    } catch (error) {
      failures.push(`${name}: ${error instanceof RunwardError ? error.message : String(error)}`);
      throw error;
    } finally {
      milliseconds.push(performance.now() - began);
    }
  };
  const flow = async () => {
    const run = await timed('launch', () => api.runs.launch({ templateId }));
    const {
      tasks: [task],
    } = await timed('read', () => api.runs.get(run.id));
    const runTaskId = task?.runTaskId ?? '';
    const values = [{ runTaskFieldId: fieldId, value: 'Ada' }];
    await timed('submit', () => api.execution.submitForm({ runTaskId, values }));
    completed.push(run.id);
    await timed('list', () => api.runs.list({ limit: 50 }));
  };
  const work = async (signal: AbortSignal) => {
    const flows = new Set<Promise<void>>();
    while (!signal.aborted) {
      const one = flow()
        .catch(() => {})
        .finally(() => flows.delete(one));
      flows.add(one);
      await pause(pauseMs);
    }
    await Promise.all(flows);
  };
  return {
    completed,
    seen: () => {
      const seen = { milliseconds, failures };
      [milliseconds, failures] = [[], []];
      return seen;
    },
    ...untilStopped(work),
  };
}

/** Which of the runs that were completed are not, for a final check that nothing was lost. */
export async function lostRuns(api: Client, completed: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  for (const id of completed) {
    const { status } = await api.runs.get(id);
    if (status !== 'COMPLETED') lost.push(id);
  }
  return lost;
}
