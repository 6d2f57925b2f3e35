import type { Multipart, UploadedFile } from '@runward/contract';
import type { Context } from 'koa';
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { inTransaction } from '../database/transaction.ts';
import type { HtmlPage, Page, PageResponse, Visitor } from '../pages/page.ts';
import { abandonBody } from './body/abandon-body.ts';
import { readMultipart } from './body/multipart.ts';
import { contentReader } from './body/read-content.ts';
import { setAllowance } from './caller/allowance.ts';
import { ensureSameOrigin, findBrowserSession } from './caller/authenticate.ts';
import { RequestBrowser, sessionCookie } from './caller/browser.ts';
import { ensureWritable, type GuardParts } from './guard.ts';
import type { InProcessParts } from './in-process/in-process.ts';
import { sessionClient } from './in-process/session-client.ts';
import { beginReading } from './reading.ts';
import { failureOf } from './render-error.ts';
import { sendAsset } from './response/send-asset.ts';
import { bytesToReceive } from './share.ts';
import type { RequestState } from './telemetry/log-requests.ts';
import { createTimeBudget } from './time-budget.ts';

const usualFormBytes = 16_384;
/** Added to the time budget of every request, because live data of a page consists of many rows. */
const renderingMs = 30_000;

/** Responds to requests for a page with HTML, also if they fail. */
export function servePage(page: Page, parts: InProcessParts) {
  const { method, show } = page;
  const { database, ports, baseUrl, isSecure, inBackground } = parts;
  const readForm = formReader(page, parts);
  return async (ctx: Context, params: Readonly<Record<string, string>>): Promise<void> => {
    const { path } = ctx;
    const findVisitor = visitorFinder(ctx, method, parts);
    const within = createTimeBudget(parts.timeBudgetMs, { timeBudgetMs: renderingMs });
    let received: ReceivedForm | undefined;
    try {
      ensureWritable(page, parts);
      if (method === 'POST') {
        // Nobody but members may fill the disk.
        const mayHaveFile = page.maximumFileBytes === undefined || (await findVisitor()) !== null;
        if (mayHaveFile && page.maximumFormBytes !== 0) received = await readForm(ctx);
        else abandonBody(ctx);
      }
      const response = await within(
        show({
          method,
          path,
          params,
          query: new URLSearchParams(ctx.querystring),
          search: ctx.search,
          acceptLanguage: ctx.get('accept-language'),
          form: received?.form ?? new URLSearchParams(),
          file: received?.file ?? null,
          baseUrl,
          em: beginReading(page, '', parts).em,
          inTransaction: (work) => inTransaction(database, work),
          afterRollback: (work) => inBackground(work()),
          now: new Date(),
          browser: new RequestBrowser(ctx, isSecure),
          ports,
          inBackground,
          requestId: (ctx.state as RequestState).requestId,
          report: (reason) => {
            ctx.state['reason'] = reason;
          },
          findVisitor,
        }),
      );
      send(ctx, response);
    } catch (error) {
      const failure = failureOf(ctx, error);
      const { errorPage } = await import('../pages/error-page.ts');
      // If it is unknown who has signed in, the page is the one for strangers.
      const visitor = failure.status === 404 ? await within(findVisitor()).catch(() => null) : null;
      sendHtml(ctx, errorPage(failure, { path }, visitor));
    } finally {
      await received?.dispose();
    }
  };
}

/** Finds the member who has signed in, once for each request, and counts the request for the session. */
function visitorFinder(
  ctx: Context,
  method: Page['method'],
  { database, inBackground, rateLimiter, fetchFor }: InProcessParts,
) {
  const find = async (): Promise<Visitor | null> => {
    const token = ctx.cookies.get(sessionCookie);
    if (token === undefined) return null;
    const session = await findBrowserSession(database.em.fork(), token);
    if (!session) return null;
    const { name, csrfToken, caller } = session;
    const { actor, touch } = caller;
    ctx.state['actor'] = actor;
    const exceeded = await setAllowance(ctx, method, actor, rateLimiter.spend);
    if (exceeded) throw exceeded;
    if (touch) inBackground(touch(database.em.fork()));
    const api = sessionClient(fetchFor(ctx.request.ip), { token, csrfToken });
    return { actor, name, csrfToken, api };
  };
  let visitor: Promise<Visitor | null> | undefined;
  return () => (visitor ??= find());
}

/** What a form contains. */
interface ReceivedForm {
  readonly form: URLSearchParams;
  readonly file: UploadedFile | null;
  /** Removes the file. */
  dispose(): Promise<void>;
}

/** Makes a function that reads a form. It throws a 403 if a page of another origin sent it, or a 400, 413 or 429. */
function formReader({ maximumFormBytes = usualFormBytes, maximumFileBytes }: Page, parts: GuardParts) {
  const read = maximumFileBytes === undefined ? fieldsReader(maximumFormBytes) : fileReader(maximumFileBytes, parts);
  return async (ctx: Context): Promise<ReceivedForm> => {
    try {
      ensureSameOrigin(ctx, parts);
      // Strangers send forms, too. A file is not kept in memory.
      const bytes = maximumFileBytes === undefined ? bytesToReceive(ctx, { maximumBytes: maximumFormBytes }) : 0;
      const received = parts.work.receive(ctx.request.ip, bytes);
      try {
        return await read(ctx);
      } finally {
        received();
      }
    } catch (error) {
      abandonBody(ctx);
      throw error;
    }
  };
}

function fieldsReader(maximumBytes: number): (ctx: Context) => Promise<ReceivedForm> {
  const readFields = contentReader('application/x-www-form-urlencoded', maximumBytes);
  return async (ctx) => {
    const fields = await readFields(ctx);
    if (!fields) throw badRequest('malformed_request', 'This is not a form of this service.');
    return { form: new URLSearchParams(fields.toString()), file: null, dispose: async () => {} };
  };
}

function fileReader(maximumBytes: number, { uploads }: GuardParts): (ctx: Context) => Promise<ReceivedForm> {
  const body: Multipart = {
    kind: 'multipart',
    fields: z.strictObject({ csrf: z.string(), field: z.string() }),
    files: { file: { maximumBytes, contentTypes: [] } },
  };
  return async (ctx) => {
    const { content, dispose } = await readMultipart(ctx, body, uploads);
    const { file, ...fields } = content;
    return { form: new URLSearchParams(fields as Record<string, string>), file: file as UploadedFile, dispose };
  };
}

function send(ctx: Context, response: PageResponse): void {
  if ('redirectTo' in response) {
    ctx.redirect(response.redirectTo);
    ctx.status = 303;
  } else if ('html' in response) {
    sendHtml(ctx, response);
  } else {
    sendAsset(ctx, response);
  }
}

function sendHtml(ctx: Context, { status, html, publicForSeconds, hidesPath, ...page }: HtmlPage): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html.toString();
  if (publicForSeconds !== undefined) ctx.set('Cache-Control', `public, max-age=${publicForSeconds}`);
  // With `no-referrer`, browsers would send forms without their origin.
  if (hidesPath === true) ctx.set('Referrer-Policy', 'strict-origin');
  ctx.set('Content-Security-Policy', policyFor(page));
}

/**
 * Pages load only what this service serves: styles, fonts and images, and scripts in the console alone. Nothing in a
 * page can change that, because styles and scripts are in files.
 */
function policyFor({ imageOrigins = [], hasScripts = false }: Pick<HtmlPage, 'imageOrigins' | 'hasScripts'>): string {
  const images = ["'self'", ...imageOrigins].join(' ');
  const scripts = hasScripts ? "script-src 'self'; connect-src 'self'; " : '';
  return `default-src 'none'; ${scripts}style-src 'self'; font-src 'self'; img-src ${images}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
}
