import { effectOf, isMultipart, isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import type { Context } from 'koa';
import type { AtomicHandler, CompletedHandler, Handler, PreparedHandler } from '../access/handler.ts';
import type { Ports } from '../access/request-context.ts';
import type { UploadFolder } from '../adapters/upload-folder.ts';
import { unavailable } from '../api-error.ts';
import type { Database } from '../database/database.ts';
import type { ReplicaReads } from '../database/replica/replica-reads.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { createTurns } from '../limits/turns.ts';
import type { WorkGate } from '../limits/work-gate.ts';
import { admit, admitAgain } from './caller/admit.ts';
import { withCheckedErrors } from './check-response.ts';
import { perform } from './perform.ts';
import { inputReader } from './read-input.ts';
import { respond, stream } from './respond.ts';
import { takeShare } from './share.ts';
import { createTimeBudget } from './time-budget.ts';

/** What the guard needs of the process. */
export interface GuardParts {
  readonly database: Database;
  /** Where some requests read; null if that is the database. */
  readonly replica: ReplicaReads | null;
  /** Why nothing may be written to the database, as a clause; null if it may. */
  readonly whyNotWritable: () => string | null;
  readonly ports: Ports;
  /** Notifies the webhook dispatcher of due deliveries. */
  readonly wake: () => void;
  /** The URL at which clients reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether browsers reach the service over https. */
  readonly isSecure: boolean;
  /** Runs work that no response waits for; a failure is logged. */
  readonly inBackground: (work: Promise<void>) => void;
  readonly rateLimiter: RateLimiter;
  /** Limits the work of each organization that is in progress. */
  readonly work: WorkGate;
  /** Stores the files of multipart bodies until their requests end. */
  readonly uploads: UploadFolder;
  /** Gets a response or an error that does not match the contract, as an error. Null: nothing is checked. */
  readonly onMismatch: ((mismatch: Error) => void) | null;
  /** How long a request waits for the database before it fails with a 503. */
  readonly timeBudgetMs: number;
}

/**
 * How many uploads of an organization, and of all, an endpoint processes at a time. The others wait after their files
 * have arrived. Processing many at once would not be faster, and would leave no time for other requests.
 */
const uploadsAtATime = { ofOne: 2, ofAll: 4 } as const;

/** A handler whose endpoint is known only at run time. The compiler has checked the table that it comes from. */
export type AnyHandler =
  | Handler<Endpoint>
  | AtomicHandler<Endpoint>
  | PreparedHandler<Endpoint>
  | CompletedHandler<Endpoint>;

/**
 * The only way to a handler. The steps, in this order: authentication 401, session-only 401, plan 402, rate limit 429,
 * scope 403, parsing 400, then the handler (404, 403, 400), in a transaction if it writes, then the check of its
 * response. If the body was still arriving when the request was admitted, the caller is checked again after it has
 * arrived.
 */
export function guard(endpoint: Endpoint, handler: AnyHandler, parts: GuardParts) {
  const readInput = inputReader(endpoint, parts.uploads);
  const takeTurn = isMultipart(endpoint.body) ? uploadTurns() : null;
  const run = async (ctx: Context, params: Readonly<Record<string, string>>): Promise<void> => {
    ensureWritable(endpoint, parts);
    const within = createTimeBudget(parts.timeBudgetMs, endpoint);
    const admitted = await within(admit(ctx, endpoint, parts));
    // The permissions of the caller can change while the body arrives, or while an upload waits for others.
    const isCurrent = takeTurn === null && ctx.req.complete;
    const share = takeShare(ctx, endpoint, admitted, parts.work);
    try {
      // The time budget does not include the time that the client takes to send its body.
      await using input = await readInput(ctx, params, share.begin);
      const work = async () => {
        const caller = isCurrent ? admitted : await within(admitAgain(ctx, endpoint, parts));
        const performed = perform(ctx, { endpoint, handler, caller, input }, parts);
        share.during(performed);
        return within(performed, remedyOf(ctx, endpoint));
      };
      const endTurn = await takeTurn?.(admitted?.actor.organizationId ?? ctx.ip);
      const { result, isReplayed } = await work().finally(endTurn);
      if (isReplayed) ctx.set('Idempotency-Replayed', 'true');
      if (admitted?.touch) parts.inBackground(admitted.touch(parts.database.em.fork()));
      if (isStream(endpoint.response)) await within(stream(ctx, endpoint, result as StreamedFile));
      else respond(ctx, endpoint, result);
    } finally {
      share.end();
    }
  };
  return parts.onMismatch ? withCheckedErrors(endpoint, run, parts.onMismatch) : run;
}

/** How uploads wait. Images of a few bytes can take many seconds each, so organizations take turns. */
function uploadTurns() {
  const { ofOne, ofAll } = uploadsAtATime;
  // How many can wait is limited by `streams`.
  return createTurns({
    kind: 'uploads',
    inWork: ofOne,
    waiting: Infinity,
    fullShares: ofAll / ofOne,
    longestWaitMs: 60_000,
  });
}

/**
 * Throws a 503 for a request that writes if this process must not write, because a newer one has migrated the database.
 */
export function ensureWritable(endpoint: Pick<Endpoint, 'method' | 'effect'>, { whyNotWritable }: GuardParts): void {
  const problem = effectOf(endpoint) === 'read' ? null : whyNotWritable();
  if (problem !== null) throw unavailable(`Nothing was changed, because ${problem}.`);
}

/** What to do if it is unknown whether a handler has taken effect. Undefined if it only reads. */
function remedyOf(ctx: Context, endpoint: Endpoint): string | undefined {
  if (effectOf(endpoint) === 'read') return undefined;
  const isRepeatable = ctx.get('idempotency-key') !== '';
  return `the request may or may not have taken effect: ${isRepeatable ? 'repeat it with the same Idempotency-Key' : 'check before you repeat it'}`;
}
