import type { Context, Next } from 'koa';
import { ApiError, methodNotAllowed, noEndpoint } from '../api-error.ts';
import { consolePaths } from '../pages/paths.ts';
import { countedAs, setAllowance } from './caller/allowance.ts';
import { authenticate, type Caller } from './caller/authenticate.ts';
import type { GuardParts } from './guard.ts';
import type { InProcessParts } from './in-process/in-process.ts';
import type { Route } from './mount.ts';
import { servePage } from './pages.ts';
import { createTimeBudget } from './time-budget.ts';

/**
 * Rejects requests that match no endpoint of this process: with a 405 and `Allow` if their path has other methods, else
 * with a 404. If the key or session is valid, the request counts and may get a 429.
 */
export function rejectUnrouted(routes: readonly Route[], parts: GuardParts | null) {
  const patterns = routes.map(({ endpoint: { method, path } }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
  }));
  const allowedMethods = (path: string) => {
    const methods = new Set(patterns.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : [])));
    return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };
  return async (ctx: Context): Promise<never> => {
    const allowed = allowedMethods(ctx.path);
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '));
    const exceeded = parts && (await createTimeBudget(parts.timeBudgetMs)(count(ctx, parts)));
    throw exceeded ?? (allowed.length > 0 ? methodNotAllowed(ctx.method) : noEndpoint());
  };
}

/** Responds with a page to browsers that open an address of the console which does not exist. */
export function serveMissingPages(parts: InProcessParts) {
  const show = async () => {
    throw noEndpoint();
  };
  const serve = servePage({ method: 'GET', path: consolePaths.home, show }, parts);
  return async (ctx: Context, next: Next): Promise<void> => {
    const isPage = ctx.path.startsWith(`${consolePaths.home}/`) && ['GET', 'HEAD'].includes(ctx.method);
    await (isPage ? serve(ctx, {}) : next());
  };
}

async function count(ctx: Context, parts: GuardParts): Promise<ApiError | null> {
  const caller = await callerOf(ctx, parts);
  if (!caller) return null;
  ctx.state['actor'] = caller.actor;
  return setAllowance(ctx, countedAs(ctx.method), caller.actor, parts.rateLimiter.spend);
}

/** Null for a caller without valid credentials: nothing here requires them. */
async function callerOf(ctx: Context, parts: GuardParts): Promise<Caller | null> {
  try {
    return await authenticate(parts, ctx);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
