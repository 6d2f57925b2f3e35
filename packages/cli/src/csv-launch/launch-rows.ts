import { isApiError, isRateLimited, isServerError, isValidationError, type Client } from '@runward/sdk';
import pLimit from 'p-limit';
import { messageOf } from '../errors.ts';
import type { Target } from '../launch/target.ts';
import type { Intent, Journal } from './journal.ts';
import { launched, type RowResult } from './row-result.ts';
import { contentOf, digest, type LaunchRow } from './rows.ts';
import { whenAllowed, type Waiting } from './when-allowed.ts';

/** A row to launch. `since` is the start of an earlier, interrupted launch of the row. */
export interface PendingRow {
  readonly row: LaunchRow;
  readonly since: string | null;
}

/** What rows are launched with. */
export interface LaunchContext extends Pick<Waiting, 'onWait'> {
  readonly client: Client;
  readonly target: Target;
  readonly journal: Journal;
  readonly keyedBy: string;
  readonly concurrency: number;
  /** Aborted to stop after the launches under way. */
  readonly stop: AbortSignal;
  /** Called for every row that was tried. */
  readonly onResult: (result: RowResult) => void;
}

/** The results of the rows, and the error that stopped the launch early, or null. */
export interface LaunchResult {
  readonly results: RowResult[];
  readonly error: unknown;
}

/**
 * Launches rows, several at a time. The journal gets an intent before each launch and the result after it. An error
 * that is not about a single row stops the launch early.
 */
export async function launchRows(rows: readonly PendingRow[], context: LaunchContext): Promise<LaunchResult> {
  let error: unknown = null;
  const results = await pLimit(context.concurrency).map(rows, async (pending) => {
    if (error !== null || context.stop.aborted) return notTried(pending.row);
    const launch = await launchRow(pending, context);
    error ??= launch.error;
    if (launch.result.outcome !== 'not tried') context.onResult(launch.result);
    return launch.result;
  });
  return { results, error };
}

async function launchRow(
  { row, since }: PendingRow,
  context: LaunchContext,
): Promise<{ result: RowResult; error: unknown }> {
  const { client, target, journal, keyedBy } = context;
  const { line, key, body } = row;
  const template = target.templateId;
  const intent: Intent = {
    type: 'intent',
    row: key,
    template,
    keyedBy,
    line,
    at: new Date().toISOString(),
    since: since ?? new Date(target.serverTime).toISOString(),
    body,
  };
  let sent = false;
  try {
    await journal.record(intent);
    sent = true;
    const run = await whenAllowed(async () => client.runs.launch(body, launchOptions(journal, row)), context);
    const { id: runId, publicId, title } = run;
    await journal.record({ type: 'launched', row: key, template, runId, publicId, title });
    return { result: launched(row, 'launched', { runId, publicId, title }), error: null };
  } catch (error) {
    const messages = isApiError(error) ? error.messages : [messageOf(error)];
    // Without a response that rejects the launch, its run may exist.
    const isCertain = !sent || (isApiError(error) && error.statusCode < 500);
    if (sent && isCertain) await journal.record({ type: 'failed', row: key, template, messages });
    if (isRateLimited(error) && context.stop.aborted) return { result: notTried(row), error: null };
    const hint = isCertain ? [] : ['Its run may exist. Run the same command again to find out.'];
    const concernsRow = isValidationError(error) || isServerError(error);
    return {
      result: { line, key, outcome: isCertain ? 'failed' : 'unclear', messages: [...messages, ...hint] },
      error: concernsRow ? null : error,
    };
  }
}

/**
 * An idempotency key made from the row, so that the server launches it once within 24 hours. It is sent as a plain
 * header instead of with the SDK's option. With the option, the SDK would resend a launch whose response was lost. A
 * rejection of that second attempt would not prove that there is no run.
 */
function launchOptions({ id }: Journal, { key, body }: LaunchRow) {
  return { maxRetries: 0, headers: { 'idempotency-key': digest(`${id} ${key} ${contentOf(body)}`) } };
}

function notTried({ line, key }: LaunchRow): RowResult {
  return { line, key, outcome: 'not tried' };
}
