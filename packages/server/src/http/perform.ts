import { effectOf, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Request } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Em } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { checkIdempotencyKey, once, type Claim } from '../limits/idempotency.ts';
import type { Caller } from './authenticate.ts';
import { createAftermath, type Aftermath, type Scheduling } from './aftermath.ts';
import { bindCursors } from './bind-cursors.ts';
import { browserOf } from './browser.ts';
import { checkResponse } from './check-response.ts';
import type { AnyHandler, GuardParts } from './guard.ts';
import type { Input } from './read-input.ts';

/** A request that has passed all checks before its handler. */
export interface AdmittedRequest {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
  readonly caller: Caller | null;
  readonly input: Input;
}

/** Runs the handler in the transaction its endpoint needs, then the work it scheduled. */
export async function perform(ctx: Context, request: AdmittedRequest, parts: GuardParts): Promise<unknown> {
  const aftermath = createAftermath(parts.wake, parts.inBackground);
  try {
    const result = await runInTransaction(ctx, request, parts, aftermath);
    aftermath.committed();
    return result;
  } catch (error) {
    aftermath.rolledBack();
    throw error;
  }
}

async function runInTransaction(ctx: Context, request: AdmittedRequest, parts: GuardParts, aftermath: Aftermath) {
  const { database } = parts;
  const begin: RequestContext['inTransaction'] = (work) => inTransaction(database, work);
  const handle = (em: Em, inside: RequestContext['inTransaction']) => {
    aftermath.restart();
    return run(ctx, request, parts, { em, inTransaction: inside, ...aftermath.scheduling });
  };
  const handleWithin = (em: Em) => handle(em, (more) => more(em));

  const mode = modeOf(ctx, request);
  switch (mode.transaction) {
    case 'none':
      return handle(database.em.fork(), begin);
    case 'own':
      return begin(handleWithin);
    case 'once': {
      const replayed = () => ctx.set('Idempotency-Replayed', 'true');
      return begin((em) => once(em, mode.claim, () => handleWithin(em), replayed));
    }
  }
}

/** What makes a handler's writes atomic: the handler itself, a transaction, or a transaction that runs once per idempotency key. */
type Mode = { readonly transaction: 'none' | 'own' } | { readonly transaction: 'once'; readonly claim: Claim };

function modeOf(ctx: Context, { endpoint, handler, caller, input }: AdmittedRequest): Mode {
  if (effectOf(endpoint) === 'read') return { transaction: 'none' };
  const key = caller ? checkIdempotencyKey(ctx.req.headers['idempotency-key']) : undefined;
  if (!caller || key === undefined) return { transaction: 'atomic' in handler ? 'none' : 'own' };
  const { organizationId, apiKeyId, userId } = caller.actor;
  const identity = [ctx.method, ctx.path, ctx.querystring, input.fingerprint ?? null, input.ifMatch];
  return { transaction: 'once', claim: { organizationId, callerId: apiKeyId ?? userId, key, identity } };
}

async function run(
  ctx: Context,
  { endpoint, handler, caller, input }: AdmittedRequest,
  { ports, isSecure, checkResponses }: GuardParts,
  own: Pick<RequestContext, 'em' | 'inTransaction'> & Scheduling,
): Promise<unknown> {
  const { params, body, ifMatch } = input;
  const { query, bind } = bindCursors(endpoint, input);
  const actor = caller?.actor ?? null;
  const browser = browserOf(ctx, isSecure);
  const request = { params, query, body, actor, now: new Date(), ifMatch, browser, ports, ...own };
  const handle = 'atomic' in handler ? handler.handle : handler;
  // The handler type of a public endpoint has no actor, so that handler does not read this null.
  const result = bind(await handle(request as Request<Endpoint>));
  if (checkResponses) checkResponse(endpoint, result);
  return result;
}
