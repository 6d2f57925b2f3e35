import type { Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Actor } from '../access/actor.ts';
import { hasCapability, lacking } from '../access/plan.ts';
import { isAtomic, type Request, type Scene } from '../api/handler.ts';
import type { Database, Em } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { badRequest, forbidden, tooManyRequests, unauthorized } from '../fault.ts';
import type { OutboundHttp } from '../outside/outbound-http.ts';
import { authenticate, type KeyLookup } from './authenticate.ts';
import { readBody } from './body.ts';
import { parse } from './input.ts';
import type { RateLimiter } from './rate-limit.ts';

/** What the guard needs of the process. */
export interface GuardParts {
  readonly database: Database;
  readonly findKey: KeyLookup;
  readonly outbound: OutboundHttp;
  /** Has the webhook dispatcher look for deliveries at once. */
  readonly wake: () => void;
  readonly rateLimiter: RateLimiter;
  /** Whether answers are held against the contract: always in tests and development. */
  readonly checkResponses: boolean;
}

/** A handler whose endpoint is known only at run time; the table it comes from was checked by the compiler. */
export type AnyHandler = (request: Request<Endpoint>) => Promise<unknown>;

/**
 * The one way into a handler, in one order: authenticate 401, session-only 401, plan 402, rate limit 429, scope 403, parse 400,
 * then the handler (404, 403, 400), in a transaction where it writes, then the check of its answer.
 */
export function guard(endpoint: Endpoint, handler: AnyHandler, parts: GuardParts) {
  return async (ctx: Context, params: Readonly<Record<string, string>>): Promise<void> => {
    const actor = await authenticate(parts.findKey, ctx.get('authorization'));
    if (endpoint.access === 'session') {
      throw unauthorized('Authentication required: this endpoint needs a browser session; API keys cannot use it.');
    }
    if (!hasCapability(actor, 'publicApi')) {
      await showAllowance(ctx, endpoint, actor, parts.rateLimiter.look);
      throw lacking(actor, 'publicApi');
    }
    await showAllowance(ctx, endpoint, actor, parts.rateLimiter.spend);
    ensureScope(endpoint, actor);
    const input = await readInput(ctx, endpoint, params);

    let woken = false;
    const wake = () => {
      woken = true;
    };
    const run = async (em: Em, inTransaction: Scene['inTransaction']): Promise<unknown> => {
      const scene = { ...input, actor, em, inTransaction, now: new Date(), outbound: parts.outbound, wake };
      const answer = await handler(scene);
      if (parts.checkResponses) checkResponse(endpoint, answer);
      return answer;
    };
    const inOwnTransaction: Scene['inTransaction'] = (work) => inTransaction(parts.database, work);
    const answer =
      endpoint.method === 'GET' || isAtomic(handler)
        ? await run(parts.database.em.fork(), inOwnTransaction)
        : await inOwnTransaction((em) => run(em, (work) => work(em)));
    if (woken) parts.wake();

    ctx.status = endpoint.status;
    if (endpoint.status !== 204) ctx.body = answer;
  };
}

/** Puts what is left into the headers; throws a 429 where nothing is. */
async function showAllowance(
  ctx: Context,
  endpoint: Endpoint,
  actor: Actor,
  allowanceOf: RateLimiter['spend'],
): Promise<void> {
  if (actor.apiKeyId === null) return;
  const { limit, remaining, resetAt, retryAfter } = await allowanceOf(actor.apiKeyId, endpoint.method);
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
  if (retryAfter !== null) throw tooManyRequests(limit, retryAfter);
}

function ensureScope({ access }: Endpoint, { scopes }: Actor): void {
  if (scopes === null || access === 'session' || access === 'public' || scopes.has(access)) return;
  throw forbidden(`The API key lacks the scope ${access}. Use a key that has it.`);
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
