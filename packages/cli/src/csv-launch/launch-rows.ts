import { setTimeout as pause } from 'node:timers/promises';
import {
  isApiError,
  isRateLimited,
  isServerError,
  isValidationError,
  type BulkLaunchResult,
  type Client,
} from '@runward/sdk';
import pLimit from 'p-limit';
import { messageOf } from '../errors.ts';
import type { Target } from '../launch/target.ts';
import { toBatches, type Batch, type PendingRow } from './batches.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { launched, type RowResult } from './row-result.ts';
import type { LaunchRow } from './rows.ts';
import { whenAllowed, type Waiting } from './when-allowed.ts';

/** What rows are launched with. */
export interface LaunchContext extends Pick<Waiting, 'onWait'> {
  readonly client: Client;
  readonly target: Target;
  readonly journal: Journal;
  readonly keyedBy: string;
  /** The ID of the API key. */
  readonly caller: string;
  readonly concurrency: number;
  /** Aborted to stop after the requests under way. */
  readonly stop: AbortSignal;
  /** Called for every row that was tried. */
  readonly onResult: (result: RowResult) => void;
}

/** The results of the rows, and the error that stopped the launch early, or null. */
export interface LaunchResult {
  readonly results: RowResult[];
  readonly error: unknown;
}

type Launches = Batch['launches'];

/** How often a request is sent that the server could not finish. The same key prevents that it takes effect twice. */
const attempts = 3;
const pauseMs = 1_000;

/**
 * Sends requests, several at a time, each of which launches rows. The journal gets the intents before each request and
 * the results after it. An error that is not about rows stops the launch early.
 */
export async function launchRows(batches: readonly Batch[], context: LaunchContext): Promise<LaunchResult> {
  let error: unknown = null;
  const results = await pLimit(context.concurrency).map(batches, async (batch) => {
    if (error !== null || context.stop.aborted) return rowsOf(batch.launches).map(notTried);
    const launch = await launchBatch(batch, context, 1);
    error ??= launch.error;
    for (const result of launch.results) if (result.outcome !== 'not tried') context.onResult(result);
    return launch.results;
  });
  return { results: results.flat(), error };
}

async function launchBatch(batch: Batch, context: LaunchContext, attempt: number): Promise<LaunchResult> {
  const { client, journal } = context;
  const { launches, key, isRepeat } = batch;
  let sent = isRepeat;
  try {
    if (!isRepeat) await journal.record(...intentsOf(batch, context));
    sent = true;
    const body = { runs: launches.map((launch) => launch.body) };
    // Not the SDK's option for the key. With it, the SDK would resend a request whose response was lost. A rejection of
    // that second attempt would not prove that there are no runs.
    const options = { maxRetries: 0, headers: { 'idempotency-key': key } };
    const sending = async () => client.runs.bulkLaunch(body, options).withResponse();
    const { data, response } = await whenAllowed(sending, context);
    const isReplayed = response.headers.get('idempotency-replayed') === 'true';
    const outcome = isReplayed && attempt === 1 ? 'already launched' : 'launched';
    const ended = launches.flatMap(({ row }, index) => (row ? [endOf(row, data.results[index], outcome)] : []));
    await journal.record(...ended.map((result) => entryOf(result, context.target.templateId)));
    return { results: ended, error: null };
  } catch (error) {
    // Without a response that rejects the launches, their runs may exist. A repeated request may have succeeded before.
    const isCertain = !sent || (!isRepeat && isApiError(error) && error.statusCode < 500);
    if (!isCertain && isServerError(error) && attempt < attempts && !context.stop.aborted) {
      await pause(attempt * pauseMs);
      return launchBatch({ ...batch, isRepeat: true }, context, attempt + 1);
    }
    if (!isCertain) return isStopped(error, context) ? untried(launches) : unclear(launches, error);
    if (sent) await journal.record(...failures(launches, error, context.target.templateId));
    if (isStopped(error, context)) return untried(launches);
    return isValidationError(error) ? withoutInvalid(launches, error.messages, context) : untried(launches, error);
  }
}

function intentsOf({ key, launches }: Batch, { target, keyedBy, caller }: LaunchContext): JournalEntry[] {
  const at = new Date().toISOString();
  const now = new Date(target.serverTime).toISOString();
  return launches.flatMap(({ row, since, body }) => {
    if (row === null) return [];
    const { key: name, line } = row;
    const template = target.templateId;
    return [
      {
        type: 'intent',
        row: name,
        template,
        keyedBy,
        line,
        at,
        since: since ?? now,
        body,
        batch: key,
        caller,
      } as const,
    ];
  });
}

function endOf(
  row: LaunchRow,
  result: BulkLaunchResult['results'][number] | undefined,
  outcome: 'launched' | 'already launched',
): RowResult {
  const { line, key } = row;
  if (result?.run) return launched(row, outcome, { ...result.run, runId: result.run.id });
  return { line, key, outcome: 'failed', messages: [result?.message ?? []].flat() };
}

function entryOf(result: RowResult, template: string): JournalEntry {
  const { key: row } = result;
  if ('runId' in result) {
    const { runId, publicId, title } = result;
    return { type: 'launched', row, template, runId, publicId, title };
  }
  return { type: 'failed', row, template, messages: 'messages' in result ? result.messages : [] };
}

function failures(launches: Launches, error: unknown, template: string): JournalEntry[] {
  const messages = messagesOf(error);
  return rowsOf(launches).map(({ key }) => ({ type: 'failed', row: key, template, messages }));
}

/** Nothing was launched, because some rows are invalid. Launches the others, if the messages say which ones are. */
async function withoutInvalid(
  launches: Launches,
  messages: readonly string[],
  context: LaunchContext,
): Promise<LaunchResult> {
  const of = (index: number) =>
    messages.flatMap((message) => {
      const [start = '', named] = /^runs\[(\d+)\]\.?/.exec(message) ?? [];
      return Number(named) === index && named !== undefined ? [message.slice(start.length)] : [];
    });
  const invalid = launches.map((_, index) => of(index));
  const areNamed = invalid.some((own) => own.length > 0);
  const failed = launches.flatMap(({ row }, index): RowResult[] => {
    const own = areNamed ? (invalid[index] ?? []) : messages;
    return row && own.length > 0 ? [{ line: row.line, key: row.key, outcome: 'failed', messages: own }] : [];
  });
  const others = launches.filter((_, index) => areNamed && invalid[index]?.length === 0);
  const pending = others.flatMap(({ row, since }): PendingRow[] => (row ? [{ row, since }] : []));
  const [rest] = toBatches(pending, pending.length);
  const launch = rest ? await launchBatch(rest, context, 1) : { results: [], error: null };
  return { results: [...failed, ...launch.results], error: launch.error };
}

function unclear(launches: Launches, error: unknown): LaunchResult {
  const messages = [...messagesOf(error), 'Its run may exist. Run the same command again to find out.'];
  const results = rowsOf(launches).map(({ line, key }) => ({ line, key, outcome: 'unclear', messages }) as const);
  return { results, error: isValidationError(error) || isServerError(error) ? null : error };
}

function untried(launches: Launches, error: unknown = null): LaunchResult {
  return { results: rowsOf(launches).map(notTried), error };
}

function isStopped(error: unknown, { stop }: LaunchContext): boolean {
  return isRateLimited(error) && stop.aborted;
}

function messagesOf(error: unknown): readonly string[] {
  return isApiError(error) ? error.messages : [messageOf(error)];
}

function rowsOf(launches: Launches): LaunchRow[] {
  return launches.flatMap(({ row }) => row ?? []);
}

function notTried({ line, key }: LaunchRow): RowResult {
  return { line, key, outcome: 'not tried' };
}
