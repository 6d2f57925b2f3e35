import type { Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import { KeyChanged } from '../../access/key-check.ts';
import { readmit } from './admit.ts';
import type { Caller } from './authenticate.ts';
import type { GuardParts } from '../guard.ts';

/** How work has ended. */
type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Runs the work of a request. If that has not confirmed the cached key of its caller, whatever its outcome is, looks the key up: an outcome
 * for a key that is still the same stands, otherwise the work is repeated for the caller as the database has it. Throws the error of the work,
 * or a 401, 402 or 403.
 */
export async function withConfirmedKey<Result>(
  ctx: Context,
  endpoint: Endpoint,
  parts: GuardParts,
  caller: Caller | null,
  work: (caller: Caller | null) => Promise<Result>,
): Promise<Result> {
  if (!caller || caller.isConfirmed()) return work(caller);
  const outcome = await outcomeOf(work(caller));
  const isOutdated = 'error' in outcome && outcome.error instanceof KeyChanged;
  if (!isOutdated && caller.isConfirmed()) return valueOf(outcome);
  const current = await readmit(ctx, endpoint, parts);
  return isOutdated || current.key?.text !== caller.key?.text ? work(current) : valueOf(outcome);
}

async function outcomeOf<Result>(work: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work };
  } catch (error) {
    return { error };
  }
}

function valueOf<Result>(outcome: Outcome<Result>): Result {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}
