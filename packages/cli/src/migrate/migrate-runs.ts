import { isApiError, isServerError, isValidationError, isNotFound, type Client, type Migration } from '@runward/sdk';
import pLimit from 'p-limit';
import { messageOf } from '../errors.ts';

/** The result for one run. With `--dry-run`, `migrated` means that the run would be migrated. */
export type MigrationResult =
  | {
      readonly runId: string;
      readonly outcome: 'migrated' | 'unchanged';
      readonly from: number;
      readonly to: number;
      readonly kept: readonly string[];
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly retired: readonly string[];
      readonly status: string;
    }
  | { readonly runId: string; readonly outcome: 'failed'; readonly messages: readonly string[] }
  | { readonly runId: string; readonly outcome: 'not tried' };

/** All outcomes, in the order of the summary. */
export const outcomes = ['migrated', 'unchanged', 'failed', 'not tried'] as const;

/** The fields of a result. */
export const resultFields = [
  'runId',
  'outcome',
  'from',
  'to',
  'status',
  'kept',
  'added',
  'removed',
  'retired',
  'messages',
] as const;

/** What runs are migrated with. */
export interface MigrationContext {
  readonly client: Client;
  /** Null: the latest version. */
  readonly toVersionId: string | null;
  readonly dryRun: boolean;
  readonly concurrency: number;
  /** Aborted to stop after the migrations under way. */
  readonly stop: AbortSignal;
  /** Called for every run that was tried. */
  readonly onResult: (result: MigrationResult) => void;
}

/** The results of all runs, and the error that stopped the migration early, or null. */
export interface MigrationOutcome {
  readonly results: readonly MigrationResult[];
  readonly error: unknown;
}

/**
 * Migrates runs, several at a time. It can be repeated safely, because a migrated run does not change again. An error
 * that is not about a single run stops it early.
 */
export async function migrateRuns(runIds: readonly string[], context: MigrationContext): Promise<MigrationOutcome> {
  let error: unknown = null;
  const results = await pLimit(context.concurrency).map(runIds, async (runId): Promise<MigrationResult> => {
    if (error !== null || context.stop.aborted) return { runId, outcome: 'not tried' };
    const one = await migrateRun(runId, context);
    const result = 'error' in one ? one.result : one;
    if ('error' in one) error ??= one.error;
    context.onResult(result);
    return result;
  });
  return { results, error };
}

async function migrateRun(
  runId: string,
  { client, toVersionId, dryRun }: MigrationContext,
): Promise<MigrationResult | { result: MigrationResult; error: unknown }> {
  // The retries are for 429 responses. Repeating a migration changes nothing.
  const options = { maxRetries: 10 };
  try {
    return migrated(
      toVersionId === null
        ? await client.runs.migrateToLatest(runId, { dryRun }, options)
        : await client.runs.migrate(runId, { toVersionId, dryRun }, options),
    );
  } catch (error) {
    const messages = isApiError(error) ? error.messages : [messageOf(error)];
    const result = { runId, outcome: 'failed', messages } as const;
    const concernsRun = isValidationError(error) || isNotFound(error) || isServerError(error);
    return concernsRun ? result : { result, error };
  }
}

function migrated({ runId, from, to, changed, tasks, status }: Migration): MigrationResult {
  const titles = (list: Migration['tasks']['kept']) => list.map(({ title }) => title);
  return {
    runId,
    outcome: changed ? 'migrated' : 'unchanged',
    from: from.number,
    to: to.number,
    kept: titles(tasks.kept),
    added: titles(tasks.added),
    removed: titles(tasks.removed),
    retired: titles(tasks.retired),
    status: status.after,
  };
}
