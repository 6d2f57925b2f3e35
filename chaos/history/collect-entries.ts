import type { Caller } from '../workloads/client.ts';
import type { SentForm, ShownEntry } from './console-history.ts';

/** Reads the entries of the tasks to which these forms belong, through the API. */
export async function collectEntries(caller: Caller, forms: readonly SentForm[]): Promise<ShownEntry[]> {
  const collected: ShownEntry[] = [];
  for (const runTaskId of new Set(forms.map((form) => form.runTaskId))) {
    const entries = await caller.read((api) => api.execution.entries(runTaskId).toArray({ limit: 10 }));
    for (const { status, fieldValues } of entries) {
      collected.push({ runTaskId, status, values: fieldValues.map(({ value }) => value) });
    }
  }
  return collected;
}
