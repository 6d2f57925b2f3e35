import type { Context, Next } from 'koa';
import { badRequest, forbidden, unauthorized } from '../api-error.ts';
import { createWorkGate } from '../limits/work-gate.ts';
import { defaultMaximumBytes } from './body/read-body.ts';
import { contentReader } from './body/read-content.ts';
import { admit } from './caller/admit.ts';
import { keyIn } from './caller/authenticate.ts';
import type { GuardParts } from './guard.ts';
import type { InProcessParts } from './in-process/in-process.ts';
import { takeShare } from './share.ts';
import { createTimeBudget } from './time-budget.ts';

const path = '/mcp';

/** The request counts as a read; the requests of its tools are counted in addition. */
const endpoint = { method: 'GET', access: 'authenticated', maximumBytes: defaultMaximumBytes } as const;

const readMessage = contentReader('application/json', endpoint.maximumBytes);
const parameters = ['groups', 'readOnly'];

/**
 * Serves the tools for language models (`@runward/mcp`) by the Model Context Protocol over HTTP, without sessions. Each
 * tool requests endpoints of this service with the caller's key, so that everything that applies to
 * the key applies to the tools.
 */
export function serveMcp(parts: InProcessParts) {
  // Not the gate of its tools' requests: those would wait for the request that they are part of.
  const work = createWorkGate(parts.ports.limits);
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== path && ctx.path !== `${path}/`) return next();
    ctx.state['operation'] = 'mcp';
    if (ctx.method !== 'POST') return rejectMethod(ctx);
    ensureOwnOrigin(ctx, parts);
    const apiKey = keyOf(ctx);
    const within = createTimeBudget(parts.timeBudgetMs);
    const caller = await within(admit(ctx, endpoint, parts));
    if (caller?.touch) parts.inBackground(caller.touch(parts.database.em.fork()));
    const share = takeShare(ctx, endpoint, caller, work);
    try {
      const body = await readMessage(ctx);
      await share.begin(undefined);

      // Loaded on demand, because most services never get such a request.
      const { parseGroups, respondTo } = await import('@runward/mcp');
      const { groups, readOnly } = readQuery(ctx, parseGroups);
      const request = new Request(`http://127.0.0.1${path}`, {
        method: 'POST',
        headers: protocolHeaders(ctx),
        body,
      });
      const response = await respondTo(request, {
        apiKey,
        scopes: [...(caller?.actor.scopes ?? [])],
        fetch: parts.fetchFor(ctx.request.ip),
        groups,
        readOnly,
        onError: (error) => {
          ctx.state['error'] = error;
        },
      });
      ctx.status = response.status;
      ctx.body = await response.text();
      const contentType = response.headers.get('content-type');
      if (contentType !== null) ctx.type = contentType;
    } finally {
      share.end();
    }
  };
}

/** Clients open no streams here and have no session to end. */
function rejectMethod(ctx: Context): void {
  ctx.set('Allow', 'POST');
  ctx.status = 405;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Method not allowed; use POST.' } };
}

/**
 * Throws a 403 for the page of another origin, also if its name was rebound to this address: no such page may use a
 * key. A browser states the page that a request comes from.
 */
function ensureOwnOrigin(ctx: Context, { baseUrl }: GuardParts): void {
  const origin = ctx.get('origin');
  if (origin === '' || origin === new URL(baseUrl).origin) return;
  throw forbidden(
    'cross_origin',
    'Requests of pages of other origins are rejected; use an application outside the browser.',
  );
}

/** Requires a key, because sessions are for pages of this service. Whether the key is valid is checked next. */
function keyOf(ctx: Context): string {
  const key = keyIn(ctx.get('authorization'));
  if (key !== undefined) return key;
  throw unauthorized(
    'authentication_required',
    'Authentication required: send the header "Authorization: Bearer sk_live_…".',
  );
}

function readQuery(ctx: Context, parseGroups: (text: string) => readonly string[]) {
  const query = new URLSearchParams(ctx.querystring);
  const unknown = [...query.keys()].filter((name) => !parameters.includes(name));
  if (unknown.length > 0) {
    throw badRequest(unknown.map((name) => `${name}: unknown parameter; use ${parameters.join(' or ')}`));
  }
  const readOnly = query.get('readOnly') ?? 'false';
  if (readOnly !== 'true' && readOnly !== 'false') throw badRequest(['readOnly: must be true or false']);
  try {
    return { groups: parseGroups(query.getAll('groups').join(',')), readOnly: readOnly === 'true' };
  } catch (error) {
    throw badRequest([error instanceof Error ? error.message : String(error)]);
  }
}

function protocolHeaders({ req }: Context): [string, string][] {
  return Object.entries(req.headers).flatMap(([name, value]) => {
    const isOfProtocol = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
    return isOfProtocol && typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
}
