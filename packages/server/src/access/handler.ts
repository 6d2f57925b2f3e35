import type { Body, Endpoint, Group, Params, Query, Response } from '@runward/contract';
import type { RenderedResponse } from '../rendered.ts';
import type { Actor } from './actor.ts';
import type { RequestContext } from './request-context.ts';

/** The caller of an endpoint; null if the endpoint is public. */
type WhoCalls<E extends Endpoint> = E['access'] extends 'public' ? null : Actor;

/** A request that has passed the guard. */
export interface Request<E extends Endpoint> extends RequestContext<WhoCalls<E>> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
}

/** The result of a handler; nothing for a 204. */
type Result<E extends Endpoint> = Response<E> extends undefined ? void : Response<E> | RenderedResponse<Response<E>>;

/** Performs one endpoint: takes input and returns a value. Throws an ApiError for mistakes of the caller. */
export type Handler<E extends Endpoint> = (request: Request<E>) => Promise<Result<E>>;

/** A handler that writes with one guarded statement or opens its transaction itself, so the guard does not open one. */
export interface AtomicHandler<E extends Endpoint> {
  readonly atomic: true;
  readonly handle: Handler<E>;
}

/** Marks a handler as atomic. */
export function atomic<E extends Endpoint>(handle: Handler<E>): AtomicHandler<E> {
  return { atomic: true, handle };
}

/**
 * A handler with work that takes long, or that waits for more than the database. That work is done before its
 * transaction begins.
 */
export interface PreparedHandler<E extends Endpoint> {
  /**
   * Does this work and returns the handler that completes the request in a transaction. If a request is repeated with
   * its idempotency key, `prepare` runs again, but the response does not depend on it. What it schedules
   * `afterRollback` also runs if the returned handler does not run.
   */
  readonly prepare: (request: Request<E>) => Promise<Handler<E>>;
}

/**
 * A handler whose response is completed after the commit, by work that waits for more than the database, such as a
 * mail. Nothing is locked meanwhile.
 */
export interface CompletedHandler<E extends Endpoint> {
  /** Its result is the response to a repetition of the request before `complete` has ended. */
  readonly handle: Handler<E>;
  /** Returns the response, which is also stored for the idempotency key. */
  readonly complete: (
    request: Pick<Request<E>, 'actor' | 'em' | 'params' | 'ports'>,
    result: Response<E>,
  ) => Promise<Response<E>>;
}

/** The handlers of a part of the contract: one per endpoint, checked by the compiler. */
export type Handlers<G extends Group> = {
  readonly [Name in keyof G]:
    | Handler<G[Name]>
    | AtomicHandler<G[Name]>
    | PreparedHandler<G[Name]>
    | CompletedHandler<G[Name]>;
};
