import type { Body, Endpoint, Group, Params, Query, Response } from '@runward/contract';
import type { RenderedResponse } from '../rendered.ts';
import type { Actor } from './actor.ts';
import type { RequestContext } from './request-context.ts';

/** Who calls an endpoint: no one known if it is public. */
type WhoCalls<E extends Endpoint> = E['access'] extends 'public' ? null : Actor;

/** A request that has passed the guard. */
export interface Request<E extends Endpoint> extends RequestContext<WhoCalls<E>> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
}

/** What a handler returns: nothing for a 204. */
type Result<E extends Endpoint> = Response<E> extends undefined ? void : Response<E> | RenderedResponse<Response<E>>;

/** Performs one endpoint: input in, value out. Throws an ApiError for what the caller did wrong. */
export type Handler<E extends Endpoint> = (request: Request<E>) => Promise<Result<E>>;

/** A handler that writes with one guarded statement or opens its own transaction, so the guard opens none around it. */
export interface AtomicHandler<E extends Endpoint> {
  readonly atomic: true;
  readonly handle: Handler<E>;
}

/** Marks a handler as atomic. */
export function atomic<E extends Endpoint>(handle: Handler<E>): AtomicHandler<E> {
  return { atomic: true, handle };
}

/** A handler with work that takes long, or waits for more than the database: that is done before its transaction begins. */
export interface PreparedHandler<E extends Endpoint> {
  /**
   * Does this work and returns the handler that completes the request in a transaction. It runs again for a request that is repeated with its
   * idempotency key, whose response then does not depend on it: what it schedules `afterRollback` runs, too, if the other handler does not.
   */
  readonly prepare: (request: Request<E>) => Promise<Handler<E>>;
}

/** The handlers of a part of the contract: one per endpoint, checked by the compiler. */
export type Handlers<G extends Group> = {
  readonly [Name in keyof G]: Handler<G[Name]> | AtomicHandler<G[Name]> | PreparedHandler<G[Name]>;
};
