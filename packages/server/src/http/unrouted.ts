import { contract, type Endpoint, type Method } from '@runward/contract';
import type { Context } from 'koa';
import { ApiError, methodNotAllowed, notFound } from '../api-error.ts';
import { setAllowance } from './allowance.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { GuardParts } from './guard.ts';
import { createTimeBudget } from './time-budget.ts';

const patterns = Object.values(contract).flatMap((group) =>
  Object.values<Endpoint>(group).map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
  })),
);

/**
 * Rejects a request that matches no endpoint: with a 405 and `Allow` if its path has other methods, else with a 404. A request with a valid
 * key or session counts and gets its `X-RateLimit-*` headers, or a 429.
 */
export async function rejectUnrouted(ctx: Context, parts: GuardParts | null): Promise<never> {
  const allowed = allowedMethods(ctx.path);
  if (allowed.length > 0) ctx.set('Allow', allowed.join(', '));
  const exceeded = parts && (await createTimeBudget(parts.timeBudgetMs, { method: 'GET' })(count(ctx, parts)));
  throw exceeded ?? (allowed.length > 0 ? methodNotAllowed(ctx.method) : notFound('Endpoint'));
}

function allowedMethods(path: string): string[] {
  const methods = new Set(patterns.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : [])));
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

async function count(ctx: Context, parts: GuardParts): Promise<ApiError | null> {
  const caller = await callerOf(ctx, parts);
  if (!caller) return null;
  ctx.state['actor'] = caller.actor;
  return setAllowance(ctx, countedAs(ctx.method), caller.actor, parts.rateLimiter.spend);
}

/** Null for a caller without valid credentials: there is nothing here that they could be used for. */
async function callerOf(ctx: Context, parts: GuardParts): Promise<Caller | null> {
  try {
    return await authenticate(parts, ctx);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function countedAs(method: string): Method {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'GET' : 'POST';
}
