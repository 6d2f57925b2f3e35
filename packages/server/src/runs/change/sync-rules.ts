import type { ProcessDocument } from '@runward/engine';
import { system } from '../../access/actor.ts';
import type { Database, Em } from '../../database/database.ts';
import { isRetryable } from '../../database/errors.ts';
import { withSavepoint } from '../../database/savepoint.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { FailedRun } from '../../templates/entities/rule-sync.ts';
import { loadDocument } from '../../templates/load-document.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import {
  claimRuleSync,
  finishRuleSync,
  lockNextRuns,
  recordProgress,
  type ClaimedSync,
} from '../queries/rule-syncs.ts';
import { loadRun } from '../store/load.ts';
import { decideAndSave } from './decide-and-save.ts';

/**
 * The number of runs per transaction. It is low, because the runs stay locked until the transaction ends, and so that a
 * publication does not wait long for it.
 */
const batchSize = 20;

/** What the rule sync needs. The signal ends it between two batches. */
export interface SyncParts {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly signal?: AbortSignal;
}

/**
 * Applies the rules of published versions to active runs of all organizations, until all rule syncs are finished. Each
 * batch is one transaction that locks the sync of its template. Therefore no two processes work on one template, a
 * publication cannot replace the sync during the batch, and the locks of a killed process are released at once. Throws
 * an `AggregateError` at the end if a run or a batch failed.
 */
export async function syncRules({ database, dispatcher, signal }: SyncParts): Promise<void> {
  const failures: unknown[] = [];
  const failedTemplates: string[] = [];
  let isDone = false;
  while (!isDone) {
    if (signal?.aborted) break;
    let templateId: string | null = null;
    try {
      const batch = await inTransaction(database, async (em) => {
        const sync = await claimRuleSync(em, failedTemplates);
        templateId = sync?.templateId ?? null;
        return sync && syncBatch(em, sync);
      });
      isDone = batch === null;
      failures.push(...(batch?.failures ?? []));
      if (batch?.delivers) dispatcher.notify();
    } catch (error) {
      if (templateId === null) throw error;
      // The other templates continue. This one is retried when the job runs next.
      failedTemplates.push(templateId);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `The rule sync failed ${failures.length} times.`);
}

async function syncBatch(em: Em, sync: ClaimedSync): Promise<{ failures: unknown[]; delivers: boolean }> {
  const runIds = await lockNextRuns(em, sync, batchSize);
  const last = runIds.at(-1);
  if (last === undefined) {
    await finishRuleSync(em, sync);
    return { failures: [], delivers: false };
  }
  const document = await loadDocument(em, sync.organizationId, sync.templateVersionId);
  const failures: unknown[] = [];
  const failed: FailedRun[] = [];
  let delivers = false;
  for (const runId of runIds) {
    try {
      delivers = (await withSavepoint(em, () => syncRun(em, sync, runId, document))) || delivers;
    } catch (error) {
      if (isRetryable(error)) throw error;
      failures.push(new Error(`The rules of the run ${runId} could not be synchronized.`, { cause: error }));
      failed.push({
        runId,
        message:
          'An unexpected error occurred; see the log of the service, then migrate the run or publish another version.',
      });
    }
  }
  await recordProgress(em, sync, { processed: runIds.length, afterRunId: last, failed });
  return { failures, delivers };
}

/** Returns whether webhooks must be notified. The run is locked. */
async function syncRun(em: Em, sync: ClaimedSync, runId: string, document: ProcessDocument): Promise<boolean> {
  const { organizationId, templateVersionId, earlierVersionIds, now } = sync;
  const run = await loadRun(em, organizationId, { runId }, { forms: true });
  if (!run) throw new Error(`The run ${runId} is gone although its row is locked.`);
  const { state } = run;
  const rulesBefore = await loadDocument(em, organizationId, state.rulesVersionId ?? state.templateVersionId);
  const command = { type: 'syncRules', templateVersionId, document, earlierVersionIds, rulesBefore } as const;
  const decision = await decideAndSave(em, run, command, system, { now: new Date(now) });
  if (decision?.rejection) throw new Error(decision.rejection.message);
  if (!decision) throw new Error('The time zone of the organization has changed.');
  return decision.delivers;
}
