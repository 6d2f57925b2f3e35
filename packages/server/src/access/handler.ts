import type { Body, Contract, Endpoint, Group, GroupName, Params, Query, Response } from '@runward/contract';
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

/** Performs one endpoint: input in, value out. Throws an ApiError for what the caller did wrong. */
export type Handler<E extends Endpoint> = (request: Request<E>) => Promise<Response<E>>;

/** A handler that writes with one guarded statement or opens its own transaction, so the guard opens none around it. */
export interface AtomicHandler<E extends Endpoint> {
  readonly atomic: true;
  readonly handle: Handler<E>;
}

/** The handlers of a contract group: one per endpoint, checked by the compiler. */
export type Handlers<G extends Group> = { readonly [Name in keyof G]: Handler<G[Name]> | AtomicHandler<G[Name]> };

/** Groups whose endpoints describe the process itself and stand outside the guard. */
export type ProcessGroup = 'health' | 'openapi';

/** The handlers of all groups behind the guard. */
export type AllHandlers = { readonly [G in Exclude<GroupName, ProcessGroup>]: Handlers<Contract[G]> };
