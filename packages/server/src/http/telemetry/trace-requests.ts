import { formats } from '@runward/contract';
import type { Context, Next } from 'koa';
import { inRequestSpan, type EndedRequest } from '../../telemetry/tracing-requests.ts';
import type { RequestState } from './log-requests.ts';

/** Machines poll these. */
const isPolled = (path: string) => path === '/metrics' || path.startsWith('/health/');

/** Traces each request from its headers to the end of its response. */
export function traceRequests() {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (isPolled(ctx.path)) return next();
    const closed = new Promise<void>((resolve) => ctx.res.once('close', resolve));
    await inRequestSpan({ method: ctx.method, scheme: ctx.protocol, headers: ctx.req.headers }, async (ended) => {
      try {
        await next();
      } finally {
        void closed.then(() => ended(describe(ctx)));
      }
    });
  };
}

function describe({ state, path, status, res }: Context): EndedRequest {
  const { route, operation, actor } = state as RequestState;
  return {
    route,
    path: route && pathOf(route, path),
    operation,
    status: res.writableFinished ? status : null,
    organizationId: actor?.organizationId,
  };
}

/** The path of a request with the ids in it. Other parameters, which may be tokens, are replaced by their names. */
function pathOf(route: string, path: string): string {
  const given = path.split('/');
  return route
    .split('/')
    .map((part, index) => (part.startsWith(':') && formats.isId(given[index] ?? '') ? given[index] : part))
    .join('/');
}
