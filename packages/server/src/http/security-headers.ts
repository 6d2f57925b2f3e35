import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Context, Next } from 'koa';

const assemble = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
  },
  // With `no-referrer`, browsers would send forms without their origin, which the service compares.
  referrerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
});

/** Sets the security headers of every response. They are assembled once, because they never change. */
export function setSecurityHeaders() {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  assemble(sample.req, sample, () => {});
  const headers = new Map(
    Object.entries({ ...sample.getHeaders(), 'cache-control': 'no-store' } as Record<string, string>),
  );
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.res.setHeaders(headers);
    await next();
  };
}
