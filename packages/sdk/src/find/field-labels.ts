import type { Client } from '../client-type.ts';

/**
 * The labels of the visible fields of a run by their ids. Needs only the scope `runs:read`.
 *
 * @throws ApiError if the run cannot be read
 */
export async function fieldLabels(client: Client, runId: string): Promise<ReadonlyMap<string, string>> {
  const tasks = await client.runs.summaries(runId).toArray({ limit: 500 });
  return new Map(tasks.flatMap(({ fields }) => fields.map(({ runTaskFieldId, label }) => [runTaskFieldId, label])));
}
