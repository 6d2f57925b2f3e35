import { effectOf, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Request } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import type { Em } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { checkIdempotencyKey, once } from '../limits/idempotency.ts';
import type { Caller } from './authenticate.ts';
import { browserOf } from './browser.ts';
import { checkResponse } from './check-response.ts';
import type { AnyHandler, GuardParts } from './guard.ts';
import type { Input } from './read-input.ts';

/** A request that may be performed. */
export interface AdmittedRequest {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
  readonly caller: Caller | null;
  readonly input: Input;
}

/** Runs the handler in the transaction its endpoint needs, and wakes the dispatcher after the commit. */
export async function perform(ctx: Context, request: AdmittedRequest, parts: GuardParts): Promise<unknown> {
  const { endpoint, caller, input } = request;
  const { database } = parts;
  const key =
    caller && effectOf(endpoint) === 'write' ? checkIdempotencyKey(ctx.req.headers['idempotency-key']) : undefined;
  const begin: RequestContext['inTransaction'] = (work) => inTransaction(database, work);
  let woken = false;
  const handle = (em: Em, inside: RequestContext['inTransaction']) => {
    // A transaction may be tried again.
    woken = false;
    return run(ctx, request, parts, { em, inTransaction: inside, wake: () => (woken = true) });
  };
  const handleWithin = (em: Em) => handle(em, (more) => more(em));

  const result = await perMode();
  if (woken) parts.wake();
  return result;

  function perMode(): Promise<unknown> {
    switch (transactionOf(request, key)) {
      case 'none':
        return handle(database.em.fork(), begin);
      case 'own':
        return begin(handleWithin);
      case 'once': {
        const { method, path, querystring } = ctx;
        const identity = [method, path, querystring, input.fingerprint ?? null];
        const claim = { ...callerOf(caller), key: key ?? '', identity };
        const replayed = () => ctx.set('Idempotency-Replayed', 'true');
        return begin((em) => once(em, claim, () => handleWithin(em), replayed));
      }
    }
  }
}

/** How a handler's writes are held together: by itself, by a transaction, or by one that performs a key's request once. */
function transactionOf({ endpoint, handler }: AdmittedRequest, key: string | undefined): 'none' | 'own' | 'once' {
  if (effectOf(endpoint) === 'read') return 'none';
  if (key !== undefined) return 'once';
  return 'atomic' in handler ? 'none' : 'own';
}

function callerOf(caller: Caller | null) {
  const { organizationId = '', apiKeyId = null, userId = '' } = caller?.actor ?? {};
  return { organizationId, callerId: apiKeyId ?? userId };
}

async function run(
  ctx: Context,
  { endpoint, handler, caller, input }: AdmittedRequest,
  { ports, isSecure, checkResponses }: GuardParts,
  own: Pick<RequestContext, 'em' | 'inTransaction' | 'wake'>,
): Promise<unknown> {
  const { params, query, body } = input;
  const actor = caller?.actor ?? null;
  const request = { params, query, body, actor, now: new Date(), browser: browserOf(ctx, isSecure), ports, ...own };
  const handle = 'atomic' in handler ? handler.handle : handler;
  // The handler of a public endpoint does not read the actor, which it has not got; its type says so.
  const result = await handle(request as Request<Endpoint>);
  if (checkResponses) checkResponse(endpoint, result);
  return result;
}
