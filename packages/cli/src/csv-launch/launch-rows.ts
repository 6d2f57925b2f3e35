import { isApiError, isServerError, isValidationError, type Client } from '@runward/sdk';
import type { Target } from '../launch/target.ts';
import type { Intent, Journal } from './journal.ts';
import { launched, type Outcome } from './outcome.ts';
import { contentOf, digest, type LaunchRow } from './rows.ts';

/** A row to launch; `since` is that of an earlier launch that broke off. */
export interface Work {
  readonly row: LaunchRow;
  readonly since: string | null;
}

/** What launching rows needs besides them. */
export interface LaunchScene {
  readonly client: Client;
  readonly target: Target;
  readonly journal: Journal;
  readonly keyedBy: string;
  readonly concurrency: number;
  /** Aborted when the person wants to stop: what is under way is finished. */
  readonly stop: AbortSignal;
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Launches rows, several at a time, and writes down the intent before and the result after each. It stops early when an error
 * is not about the row; that error is answered with the outcomes.
 */
export async function launchRows(
  work: readonly Work[],
  scene: LaunchScene,
): Promise<{ outcomes: Outcome[]; error: unknown }> {
  const queue = work.values();
  const outcomes: Outcome[] = [];
  let error: unknown = null;
  const worker = async () => {
    for (const item of queue) {
      const tried = error === null && !scene.stop.aborted;
      const outcome = tried ? await launchRow(item, scene) : { outcome: notTried(item.row), error: null };
      error ??= outcome.error;
      outcomes.push(outcome.outcome);
      scene.onOutcome(outcome.outcome);
    }
  };
  await Promise.all(Array.from({ length: scene.concurrency }, worker));
  return { outcomes, error };
}

async function launchRow({ row, since }: Work, scene: LaunchScene): Promise<{ outcome: Outcome; error: unknown }> {
  const { client, target, journal, keyedBy } = scene;
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
    const run = await client.runs.launch(body, launchOptions(journal, row));
    const { id: runId, publicId, title } = run;
    await journal.record({ type: 'launched', row: key, template, runId, publicId, title });
    return { outcome: launched(row, 'launched', { runId, publicId, title }), error: null };
  } catch (error) {
    const messages = isApiError(error) ? error.messages : [error instanceof Error ? error.message : String(error)];
    // Nothing was sent, or the server has answered that it did nothing; after any other error the run may exist.
    const certain = !sent || (isApiError(error) && error.statusCode < 500);
    if (sent && certain) await journal.record({ type: 'failed', row: key, template, messages });
    const aboutRow = isValidationError(error) || isServerError(error);
    const told = certain ? messages : [...messages, 'Its run may exist. Run the same command again to find out.'];
    return {
      outcome: { line, key, outcome: certain ? 'failed' : 'unclear', messages: told },
      error: aboutRow ? null : error,
    };
  }
}

/**
 * The key of the row goes with every attempt, so that the server launches it once within 24 hours. It is a plain header, not the SDK's
 * option: that would send a lost launch again, and a refusal of the second attempt would no longer mean that there is no run. A
 * refusal for too many requests is waited out.
 */
function launchOptions({ id }: Journal, { key, body }: LaunchRow) {
  return { maxRetries: 10, headers: { 'idempotency-key': digest(`${id} ${key} ${contentOf(body)}`) } };
}

function notTried({ line, key }: LaunchRow): Outcome {
  return { line, key, outcome: 'not tried' };
}
