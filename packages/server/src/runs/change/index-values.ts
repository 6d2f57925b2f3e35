import { searchKeys } from '@runward/engine';
import type { Logger } from 'pino';
import type { Database, Em } from '../../database/database.ts';
import { isConnectionLoss, isUnavailable } from '../../database/errors.ts';
import { withSavepoint } from '../../database/savepoint.ts';
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
import { recordRead, recordUnread } from '../queries/search/unread-runs.ts';
import { loadRun } from '../store/load.ts';

/** The number of runs per transaction. It is low, because the runs stay locked until the transaction ends. */
const batchSize = 50;

/** What reading values needs. The signal ends it between two batches. */
export interface IndexParts {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
  readonly signal?: AbortSignal;
}

/** A run that could not be read. */
interface Unread {
  readonly organizationId: string;
  readonly runId: string;
  readonly error: unknown;
}

/**
 * Reads the values of runs in fields and flow variables that a publication has made searchable, and deletes those of
 * others, until nothing is left to do or the signal ends it between two batches. Each batch is one transaction that
 * locks the fields, so that several processes do not work on the same ones, and a killed process leaves no batch half
 * done. A run that cannot be read is logged once and left out; its values are written when it next changes.
 */
export async function indexValues({ database, log, signal }: IndexParts): Promise<void> {
  let isDone = false;
  while (!isDone) {
    if (signal?.aborted) break;
    const unread = await inTransaction(database, async (em) => {
      const fields = await claimDueFields(em);
      return fields && indexBatch(em, fields);
    });
    isDone = unread === null;
    for (const { organizationId, runId, error } of unread ?? []) {
      log.warn(
        { organizationId, runId, err: error },
        'a run could not be read, so it is not found by its values; they are read when it changes',
      );
    }
  }
}

/** Returns the runs that could not be read and of which that was not known. */
async function indexBatch(em: Em, fields: DueFields): Promise<Unread[]> {
  const runIds = await lockRunsOf(em, fields, batchSize);
  if (runIds.length === 0) {
    await endOf(em, fields);
    return [];
  }
  const values: RunValue[] = [];
  const unread = new Map<string, unknown>();
  const { organizationId, status } = fields;
  for (const runId of status === 'REMOVING' ? [] : runIds) {
    try {
      values.push(...(await withSavepoint(em, () => valuesOf(em, fields, runId))));
    } catch (error) {
      if (isUnavailable(error) || isConnectionLoss(error)) throw error;
      unread.set(runId, error);
    }
  }
  await replaceValues(em, fields, runIds, values);
  if (status === 'REMOVING') return [];
  await recordRead(
    em,
    organizationId,
    runIds.filter((runId) => !unread.has(runId)),
  );
  const news = await recordUnread(em, organizationId, [...unread.keys()]);
  return news.map((runId) => ({ organizationId, runId, error: unread.get(runId) }));
}

async function valuesOf(em: Em, { organizationId, sources }: DueFields, runId: string): Promise<RunValue[]> {
  const run = await loadRun(em, organizationId, { runId }, { forms: true });
  if (!run?.template.publishedVersionId)
    throw new Error(`The run ${runId} or its template is gone although it is locked.`);
  const searchable = await loadSearchable(em, organizationId, run.template.publishedVersionId);
  const due = searchable.filter(({ source }) => sources.includes(source));
  return searchKeys(run.state, due).map((key) => Object.assign(key, { runId }));
}
