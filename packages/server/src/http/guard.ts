import type { Access, Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Actor } from '../access/actor.ts';
import type { LoginThrottle } from '../access/browser.ts';
import { hasCapability, lacking } from '../access/plan.ts';
import { isAtomic, type Request, type Scene } from '../api/handler.ts';
import type { Database, Em } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { badRequest, forbidden, tooManyRequests, unauthorized } from '../fault.ts';
import type { OutboundHttp } from '../outside/outbound-http.ts';
import { authenticate, type Caller, type KeyLookup } from './authenticate.ts';
import { readBody } from './body.ts';
import { browserOf } from './browser.ts';
import { idempotencyKeyOf, once } from './idempotency.ts';
import { parse } from './input.ts';
import { createPatience } from './patience.ts';
import type { RateLimiter } from './rate-limit.ts';

/** What the guard needs of the process. */
export interface GuardParts {
  readonly database: Database;
  readonly findKey: KeyLookup;
  readonly outbound: OutboundHttp;
  /** Has the webhook dispatcher look for deliveries at once. */
  readonly wake: () => void;
  readonly loginThrottle: LoginThrottle;
  /** Whether browsers reach the service over https. */
  readonly isSecure: boolean;
  /** Sees to work nobody waits for; a failure is logged. */
  readonly inBackground: (work: Promise<void>) => void;
  readonly rateLimiter: RateLimiter;
  /** Whether answers are held against the contract: always in tests and development. */
  readonly checkResponses: boolean;
  /** How long a request waits for the database before it is answered 500. */
  readonly patienceMs: number;
}

/** A handler whose endpoint is known only at run time; the table it comes from was checked by the compiler. */
export type AnyHandler = (request: Request<Endpoint>) => Promise<unknown>;

/**
 * The one way into a handler, in one order: authenticate 401, session-only 401, plan 402, rate limit 429, scope 403, parse 400,
 * then the handler (404, 403, 400), in a transaction where it writes, then the check of its answer.
 */
export function guard(endpoint: Endpoint, handler: AnyHandler, parts: GuardParts) {
  return async (ctx: Context, params: Readonly<Record<string, string>>): Promise<void> => {
    // What a client takes to send its body does not count.
    const within = createPatience(parts.patienceMs, endpoint.method);
    const caller = endpoint.access === 'public' ? null : await within(admit(ctx, endpoint, parts));
    const actor = caller?.actor ?? null;
    const input = await readInput(ctx, endpoint, params);
    const key = actor && endpoint.method !== 'GET' ? idempotencyKeyOf(ctx) : undefined;

    let woken = false;
    const wake = () => {
      woken = true;
    };
    const { database, outbound, loginThrottle, isSecure } = parts;
    const browser = browserOf(ctx, isSecure);
    const run = async (em: Em, inTransaction: Scene['inTransaction']): Promise<unknown> => {
      const scene = { ...input, actor, em, inTransaction, now: new Date(), outbound, wake, browser, loginThrottle };
      // A public endpoint's handler does not look at the actor it has not got; its type says so.
      const answer = await handler(scene as Request<Endpoint>);
      if (parts.checkResponses) checkResponse(endpoint, answer);
      return answer;
    };
    const inOwnTransaction: Scene['inTransaction'] = (work) => inTransaction(database, work);
    const needsNone = endpoint.method === 'GET' || (isAtomic(handler) && key === undefined);
    const answer = await within(
      needsNone
        ? run(database.em.fork(), inOwnTransaction)
        : inOwnTransaction((em) => {
            woken = false;
            const work = () => run(em, (more) => more(em));
            return actor && key !== undefined ? once(em, ctx, { actor, key, body: input.body }, work) : work();
          }),
    );
    if (woken) parts.wake();
    if (caller?.touch) parts.inBackground(caller.touch(parts.database.em.fork()));

    ctx.status = endpoint.status;
    if (endpoint.status !== 204) ctx.body = answer;
  };
}

/** Everything a caller must pass before its input is looked at. */
async function admit(ctx: Context, endpoint: Endpoint, parts: GuardParts): Promise<Caller> {
  const { rateLimiter } = parts;
  const caller = await authenticate(parts, ctx);
  const { actor } = caller;
  ctx.state['actor'] = actor;
  const { access } = endpoint;
  if (actor.type === 'API_KEY') {
    if (access === 'session' || access === 'administrator') {
      throw unauthorized('Authentication required: this endpoint needs a browser session; API keys cannot use it.');
    }
    if (!hasCapability(actor, 'publicApi')) {
      await showAllowance(ctx, endpoint, actor, rateLimiter.look);
      throw lacking(actor, 'publicApi');
    }
    await showAllowance(ctx, endpoint, actor, rateLimiter.spend);
  }
  ensureAccess(access, actor);
  return caller;
}

/** Puts what is left into the headers; throws a 429 where nothing is. */
async function showAllowance(
  ctx: Context,
  endpoint: Endpoint,
  actor: Actor,
  allowanceOf: RateLimiter['spend'],
): Promise<void> {
  const { limit, remaining, resetAt, retryAfter } = await allowanceOf(actor.apiKeyId ?? actor.userId, endpoint.method);
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
  if (retryAfter !== null) {
    throw tooManyRequests(`More than ${limit} requests in a minute; wait ${retryAfter} s.`, retryAfter);
  }
}

function ensureAccess(access: Access, { scopes, role }: Actor): void {
  if (access === 'administrator' && role === 'MEMBER') {
    throw forbidden('Only owners and admins of the organization may do this; ask one of them.');
  }
  if (access === 'public' || access === 'session' || access === 'administrator') return;
  if (scopes !== null && !scopes.has(access)) {
    throw forbidden(`The API key lacks the scope ${access}. Use a key that has it.`);
  }
}

async function readInput(ctx: Context, endpoint: Endpoint, params: Readonly<Record<string, string>>) {
  const malformed = Object.entries(params).filter(([, value]) => !uuid.test(value));
  if (malformed.length > 0) throw badRequest(malformed.map(([name]) => `${name}: must be a UUID`));

  const { query } = ctx;
  if (Object.keys(query).length > mostParameters) {
    throw badRequest([`query: must have at most ${mostParameters} parameters`]);
  }
  const unknown = endpoint.query ? [] : Object.keys(query);
  if (unknown.length > 0) throw badRequest(unknown.map((name) => `${name}: is not known here; remove it`));

  const body = await readBody(ctx);
  if (body !== undefined && !endpoint.body && !isEmptyObject(body)) {
    throw badRequest(['body: this endpoint takes none; remove it']);
  }
  return {
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.toLowerCase()])),
    // A query is a record without a prototype; schemas take plain objects.
    query: endpoint.query && parse(endpoint.query, { ...query }, 'query'),
    body: endpoint.body && parse(endpoint.body, body, 'body'),
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostParameters = 50;

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function checkResponse({ method, path, response }: Endpoint, answer: unknown): void {
  const result = response?.safeParse(answer);
  if (result && !result.success) {
    throw new Error(`${method} ${path} answers what its contract does not promise: ${result.error.message}`);
  }
  if (!response && answer !== undefined) throw new Error(`${method} ${path} promises an empty answer.`);
}
