import type { Client } from '@runward/sdk';
import { findRunId as findNamedRunId } from '@runward/sdk/find';
import { notFound } from '../errors.ts';

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

/** The IDs of several runs, each once. See {@link findRunId}. */
export async function findRunIds(client: Client, texts: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of texts) ids.add(await findRunId(client, text));
  return [...ids];
}
