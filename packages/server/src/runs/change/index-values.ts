import { searchKeys } from '@runward/engine';
import type { Database, Em } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { loadSearchable } from '../../templates/load-document.ts';
import {
  claimDueFields,
  endOf,
  lockRunsOf,
  replaceValues,
  type DueFields,
  type RunValue,
} from '../queries/search/searchable-fields.ts';
import { loadRun } from '../store/load.ts';

/** The number of runs per transaction. It is low, because the runs stay locked until the transaction ends. */
const batchSize = 50;

/**
 * Reads the values of runs in fields and flow variables that a publication has made searchable, and deletes those of
 * others, until nothing is left to do or the signal ends it between two batches. Each batch is one transaction that
 * locks the fields, so that several processes do not work on the same ones, and a killed process leaves no batch half done.
 */
export async function indexValues(database: Database, signal?: AbortSignal): Promise<void> {
  let isDone = false;
  while (!isDone) {
    if (signal?.aborted) break;
    isDone = await inTransaction(database, async (em) => {
      const fields = await claimDueFields(em);
      if (fields) await indexBatch(em, fields);
      return fields === null;
    });
  }
}

async function indexBatch(em: Em, fields: DueFields): Promise<void> {
  const runIds = await lockRunsOf(em, fields, batchSize);
  if (runIds.length === 0) return endOf(em, fields);
  const values: RunValue[] = [];
  for (const runId of fields.status === 'REMOVING' ? [] : runIds) values.push(...(await valuesOf(em, fields, runId)));
  await replaceValues(em, fields, runIds, values);
}

async function valuesOf(em: Em, { organizationId, sources }: DueFields, runId: string): Promise<RunValue[]> {
  const run = await loadRun(em, organizationId, { runId }, { forms: true });
  if (!run?.template.publishedVersionId)
    throw new Error(`The run ${runId} or its template is gone although it is locked.`);
  const searchable = await loadSearchable(em, organizationId, run.template.publishedVersionId);
  const due = searchable.filter(({ source }) => sources.includes(source));
  return searchKeys(run.state, due).map((key) => Object.assign(key, { runId }));
}
