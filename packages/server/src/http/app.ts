import { randomUUID } from 'node:crypto';
import Koa, { type Context, type Next } from 'koa';
import type { Logger } from 'pino';
import { serveDocs } from './docs.ts';
import type { GuardParts } from './guard.ts';
import { mount } from './mount.ts';
import { openApiDocument } from './openapi.ts';
import { renderErrors } from './render-error.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { Fault } from '../fault.ts';

/** What the HTTP side needs of the process. */
export interface AppParts extends GuardParts {
  readonly log: Logger;
  readonly baseUrl: string;
  /** Whether the process can serve right now. */
  readonly isReady: () => Promise<boolean>;
}

/** The Koa application: request id, security headers, errors, the API reference, the API. */
export function createApp(parts: AppParts): Koa {
  const app = new Koa();
  // Koa prints errors of its own accord; ours are rendered and logged where they are caught.
  app.silent = true;
  app.use(identify);
  app.use(setSecurityHeaders());
  app.use(renderErrors(parts.log));
  app.use(serveDocs());

  const document = openApiDocument(parts.baseUrl);
  const api = mount(parts, {
    health: {
      live: async () => ({ status: 'ok' }),
      ready: async () => {
        if (!(await parts.isReady()))
          throw new Fault(503, 'Not ready: the database does not answer, or we are stopping.');
        return { status: 'ok' };
      },
    },
    openapi: { get: async () => document },
  });
  app.use(api);
  return app;
}

async function identify(ctx: Context, next: Next): Promise<void> {
  const requestId = randomUUID();
  ctx.state['requestId'] = requestId;
  ctx.set('x-request-id', requestId);
  await next();
}
