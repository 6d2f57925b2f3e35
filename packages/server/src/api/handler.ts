import type { Body, Contract, Endpoint, Group, GroupName, Params, Query, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { Browser, LoginThrottle } from '../access/browser.ts';
import type { Em } from '../db/database.ts';
import type { OutboundHttp } from '../outside/outbound-http.ts';

/** What every handler gets, whatever its endpoint. */
export interface Scene<Who = Actor> {
  readonly actor: Who;
  /** Of this request alone; inside a transaction on every write but those of an {@link atomic} handler. */
  readonly em: Em;
  /** Runs work in a transaction: the one that is open, or one of its own. */
  readonly inTransaction: <Result>(work: (em: Em) => Promise<Result>) => Promise<Result>;
  readonly now: Date;
  readonly outbound: OutboundHttp;
  /** Has the dispatcher look for deliveries once this request is committed; not at all if it is not. */
  readonly wake: () => void;
  readonly browser: Browser;
  readonly loginThrottle: LoginThrottle;
}

/** Who calls an endpoint: nobody known where it is public. */
type WhoCalls<E extends Endpoint> = E['access'] extends 'public' ? null : Actor;

/** A request that has passed the guard. */
export interface Request<E extends Endpoint> extends Scene<WhoCalls<E>> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
}

/** Carries out one endpoint: input in, value out. Throws a Fault for what the caller did wrong. */
export type Handler<E extends Endpoint> = (request: Request<E>) => Promise<Response<E>>;

const atomicHandlers = new WeakSet<object>();

/** Marks a handler that writes with one statement: the guard then opens no transaction around it. */
export function atomic<H extends object>(handler: H): H {
  atomicHandlers.add(handler);
  return handler;
}

/** Whether a handler was marked as {@link atomic}. */
export function isAtomic(handler: object): boolean {
  return atomicHandlers.has(handler);
}

/** The handlers of a contract group: one per endpoint, checked by the compiler. */
export type Handlers<G extends Group> = { readonly [Name in keyof G]: Handler<G[Name]> };

/** Groups whose endpoints answer about the process itself and stand outside the guard. */
export type ProcessGroup = 'health' | 'openapi';

/** The handlers of all groups behind the guard. */
export type AllHandlers = { readonly [G in Exclude<GroupName, ProcessGroup>]: Handlers<Contract[G]> };
