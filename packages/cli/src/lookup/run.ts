import type { Client } from '@runward/sdk';
import { findRunId as findNamedRunId, isFindError, isId } from '@runward/sdk/find';
import { notFound, usage } from '../errors.ts';

/** How help describes an argument that names a run. */
export const runArgument =
  'ID, public ID (RUN-…) or title of the run, the start or end of its ID, or @last for the newest';

/**
 * The ID of a run from the command line: `@last`, or anything that the SDK's finder accepts.
 *
 * @throws FindError if no run fits, or several do; CliError if `@last` finds no run
 */
export async function findRunId(client: Client, text: string): Promise<string> {
  if (text.trim().toLowerCase() !== '@last') return findNamedRunId(client, text);
  const { data } = await client.runs.list({ limit: 1 });
  if (data[0]) return data[0].id;
  throw notFound('There is no run that is not archived. Launch one with: runward runs launch');
}

/**
 * The ID of a run that is given before a task. See {@link findRunId}.
 *
 * @throws CliError if they are given in the wrong order
 */
export async function findRunBefore(client: Client, run: string, task: string): Promise<string> {
  try {
    return await findRunId(client, run);
  } catch (error) {
    const mayBeRun = isFindError(error) && error.reason === 'none' && !isId(task);
    if (!mayBeRun || !(await isRun(client, task))) throw error;
    throw usage(`"${task}" is a run. Give the run first, then the task.`);
  }
}

async function isRun(client: Client, text: string): Promise<boolean> {
  try {
    await findRunId(client, text);
    return true;
  } catch (error) {
    if (isFindError(error)) return false;
    throw error;
  }
}

/** The IDs of several runs, each once. See {@link findRunId}. */
export async function findRunIds(client: Client, texts: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of texts) ids.add(await findRunId(client, text));
  return [...ids];
}
