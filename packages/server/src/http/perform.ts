import { effectOf, type Endpoint, type Response } from '@runward/contract';
import type { Context } from 'koa';
import type { CompletedHandler, PreparedHandler, Request } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ApiError } from '../api-error.ts';
import type { Database, Em } from '../database/database.ts';
import { isOutOfSpace, isStatementError } from '../database/errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { checkIdempotencyKey, once, store, type Claim } from '../limits/idempotency.ts';
import { beginWriting } from '../organization/moves/ensure-served.ts';
import { inStep } from '../telemetry/tracing.ts';
import { createDeferred, type Deferred, type Scheduling } from './after-commit.ts';
import { bindCursors } from './bind-cursors.ts';
import type { Caller } from './caller/authenticate.ts';
import { RequestBrowser } from './caller/browser.ts';
import { checkResponse } from './check-response.ts';
import type { AnyHandler, GuardParts } from './guard.ts';
import type { Input } from './read-input.ts';
import { beginReading } from './reading.ts';

/** A request that has passed all checks before its handler. */
export interface AdmittedRequest {
  readonly endpoint: Endpoint;
  readonly handler: AnyHandler;
  readonly caller: Caller | null;
  readonly input: Input;
}

/** The result of a handler, or the one that is stored under the idempotency key. */
export interface Performed {
  readonly result: unknown;
  readonly isReplayed: boolean;
}

/** Runs the handler in the transaction its endpoint needs, then the work it scheduled, and completes its response. */
export async function perform(ctx: Context, request: AdmittedRequest, parts: GuardParts): Promise<Performed> {
  const mode = modeOf(ctx, request);
  const { result, isReplayed } = await commit(ctx, request, parts, mode);
  if (isReplayed || !('complete' in request.handler)) return { result, isReplayed };
  return { result: await complete({ ...request, handler: request.handler }, parts, mode, result), isReplayed };
}

async function commit(ctx: Context, request: AdmittedRequest, parts: GuardParts, mode: Mode): Promise<Performed> {
  const preparation = createDeferred(parts.wake, parts.inBackground);
  const deferred = createDeferred(parts.wake, parts.inBackground);
  try {
    const handler = await prepare(ctx, request, parts, preparation);
    const begin = beginIn(parts.database, request);
    const performed = await runInTransaction(ctx, { ...request, handler }, parts, { deferred, begin }, mode);
    if (performed.isReplayed) preparation.rolledBack();
    else preparation.committed();
    deferred.committed();
    return performed;
  } catch (error) {
    if (isRolledBack(error)) for (const each of [deferred, preparation]) each.rolledBack();
    throw error;
  }
}

/**
 * The handler that runs in a transaction, or without one. If its preparation failed, it throws that error, so that a
 * response stored for the idempotency key takes precedence.
 */
async function prepare(
  ctx: Context,
  { handler, ...request }: AdmittedRequest,
  parts: GuardParts,
  { scheduling }: Deferred,
): Promise<RunnableHandler> {
  if (!('prepare' in handler)) return handler;
  const { database } = parts;
  const own = { em: database.em.fork(), inTransaction: beginIn(database, { ...request, handler }), ...scheduling };
  try {
    return await handler.prepare(requestOf(ctx, request, parts, own));
  } catch (error) {
    return async () => {
      throw error;
    };
  }
}

/** If the connection ended or a statement timed out on this side, the transaction may have been committed. */
function isRolledBack(error: unknown): boolean {
  return error instanceof ApiError || isStatementError(error) || isOutOfSpace(error);
}

/**
 * How the steps of a request begin transactions. While the organization is moved to another cell, each of them finds
 * out first whether it may write; at other times, a request costs no statement for that.
 */
function beginIn(database: Database, { caller, handler }: Begun): RequestContext['inTransaction'] {
  // A move waits for requests that were admitted before it, but not for as long as a preparation may take.
  if (caller === null || (caller.move === null && !('prepare' in handler)))
    return (work) => inTransaction(database, work);
  const { organizationId } = caller.actor;
  return (work) =>
    inTransaction(database, async (em) => {
      await beginWriting(em, organizationId);
      return work(em);
    });
}

/** A request that begins transactions. */
type Begun = Pick<AdmittedRequest, 'caller' | 'handler'>;

type RunnableHandler = Exclude<AnyHandler, PreparedHandler<Endpoint>>;

type Runnable = Omit<AdmittedRequest, 'handler'> & { readonly handler: RunnableHandler };

async function runInTransaction(
  ctx: Context,
  request: Runnable,
  parts: GuardParts,
  { deferred, begin }: { readonly deferred: Deferred; readonly begin: RequestContext['inTransaction'] },
  mode: Mode,
): Promise<Performed> {
  const handle = (em: Em, inside: RequestContext['inTransaction']) => {
    deferred.restart();
    return run(ctx, request, parts, { em, inTransaction: inside, ...deferred.scheduling });
  };
  const handleWithin = (em: Em) => handle(em, (more) => more(em));

  switch (mode.transaction) {
    case 'none': {
      const { em, ageSeconds } = beginReading(request.endpoint, ctx.get('cache-control'), parts);
      const result = await inStep('handler', () => handle(em, begin));
      const age = ageSeconds();
      if (age !== null) ctx.set('Age', `${age}`);
      return { result, isReplayed: false };
    }
    case 'own':
      return { result: await begin(handleWithin), isReplayed: false };
    case 'once': {
      let isReplayed = false;
      const replayed = () => {
        isReplayed = true;
      };
      return { result: await begin((em) => once(em, mode.claim, () => handleWithin(em), replayed)), isReplayed };
    }
  }
}

/**
 * What makes a handler's writes atomic: the handler, a transaction, or a transaction that runs once per idempotency
 * key.
 */
type Mode = { readonly transaction: 'none' | 'own' } | { readonly transaction: 'once'; readonly claim: Claim };

function modeOf(ctx: Context, { endpoint, handler, caller, input }: AdmittedRequest): Mode {
  if (effectOf(endpoint) === 'read') return { transaction: 'none' };
  const key = caller ? checkIdempotencyKey(ctx.req.headers['idempotency-key']) : undefined;
  // A single statement cannot find out first whether it may write.
  const isAtomic = 'atomic' in handler && (caller?.move ?? null) === null;
  if (!caller || key === undefined) return { transaction: isAtomic ? 'none' : 'own' };
  const { organizationId, apiKeyId, userId } = caller.actor;
  const identity = [ctx.method, ctx.path, ctx.querystring, input.fingerprint ?? null, input.ifMatch];
  return { transaction: 'once', claim: { organizationId, callerId: apiKeyId ?? userId, key, identity } };
}

async function complete(
  { endpoint, handler, caller, input }: AdmittedRequest & { readonly handler: CompletedHandler<Endpoint> },
  { database, ports, onMismatch }: GuardParts,
  mode: Mode,
  result: unknown,
): Promise<unknown> {
  const em = database.em.fork();
  const request = { em, ports, params: input.params, actor: caller?.actor ?? null } as Completion;
  const response = await handler.complete(request, result as Response<Endpoint>);
  if (onMismatch) checkResponse(endpoint, response, onMismatch);
  if (mode.transaction === 'once') {
    const { claim } = mode;
    await beginIn(database, { caller, handler })((own) => store(own, claim, response));
  }
  return response;
}

type Completion = Parameters<CompletedHandler<Endpoint>['complete']>[0];

async function run(ctx: Context, { handler, ...request }: Runnable, parts: GuardParts, own: Own): Promise<unknown> {
  const { endpoint, input } = request;
  const handle = 'handle' in handler ? handler.handle : handler;
  const { query, bind } = bindCursors(endpoint, input);
  const result = bind(await handle({ ...requestOf(ctx, request, parts, own), query } as Request<Endpoint>));
  if (parts.onMismatch) checkResponse(endpoint, result, parts.onMismatch);
  return result;
}

/** What differs between the steps of a request. */
type Own = Pick<RequestContext, 'em' | 'inTransaction'> & Scheduling;

function requestOf(
  ctx: Context,
  { caller, input }: Omit<AdmittedRequest, 'handler'>,
  { ports, isSecure }: GuardParts,
  own: Own,
): Request<Endpoint> {
  const { params, query, body, ifMatch } = input;
  const browser = new RequestBrowser(ctx, isSecure);
  // Public endpoints have no actor, and the type of their handlers has none to read.
  const actor = caller?.actor ?? null;
  const now = new Date();
  return { params, query, body, actor, now, ifMatch, browser, ports, ...own } as Request<Endpoint>;
}
