import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, RequestOptions } from '@runward/sdk';
import { createRandom, type Random } from '@runward/testing/random';
import type { PortalChange, PortalHistory, PortalVisit } from '../history/portal-history.ts';
import { isFinal, type Caller } from './client.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/** An editor of a public portal and its visitors. */
export type PortalVisitors = PortalHistory & Stoppable;

const timeoutMs = 8_000;

/**
 * Starts a client that keeps publishing and unpublishing a portal with live data, and visitors who open its page at any
 * API process.
 */
export async function startPortalVisitors(
  caller: Caller,
  apis: readonly { readonly baseUrl: string }[],
  seed: number,
): Promise<PortalVisitors> {
  const slug = 'chaos-portal';
  const page = await newPage(caller, slug);
  const changes: PortalChange[] = [];
  const visits: PortalVisit[] = [];

  const visit = async (name: string, signal: AbortSignal) => {
    const random = createRandom(seed, name);
    while (!signal.aborted) {
      await caller.pace();
      const api = apis[Math.floor(random.between(0, apis.length))];
      const seen = await openPage(`${api?.baseUrl}/p/${slug}`);
      if (seen) visits.push(seen);
      await pause(random.between(50, 250));
    }
  };
  return {
    changes,
    visits,
    ...untilStopped((signal) =>
      Promise.all([
        edit(caller, page, changes, createRandom(seed, 'editor'), signal),
        ...['visitor 1', 'visitor 2'].map((name) => visit(name, signal)),
      ]),
    ),
  };
}

interface EditedPage {
  readonly portalId: string;
  readonly pageId: string;
}

async function newPage(caller: Caller, slug: string): Promise<EditedPage> {
  const idempotencyKey = randomUUID();
  const portal = { name: 'Chaos', slug, audience: 'PUBLIC' as const };
  const { id: portalId } = await caller.read((api) => api.portals.create(portal, { idempotencyKey }));
  const page = await caller.read((api) =>
    api.portals.pages.create(portalId, { title: 'State', slug: 'state' }, { idempotencyKey: `${idempotencyKey}-page` }),
  );
  return { portalId, pageId: page.id };
}

/**
 * Publishes one edition after another, and sometimes unpublishes the portal. Ends early if the content of the draft is
 * unknown.
 */
async function edit(
  caller: Caller,
  { portalId, pageId }: EditedPage,
  changes: PortalChange[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const write = async (send: (api: Client, options: RequestOptions) => Promise<unknown>) => {
    const idempotencyKey = randomUUID();
    await caller.read((api) => send(api, { idempotencyKey }));
  };
  const change = async (edition: number | null, send: (api: Client, options: RequestOptions) => Promise<unknown>) => {
    const from = Date.now();
    try {
      await write(send);
      changes.push({ from, to: Date.now(), edition, status: 200 });
    } catch (error) {
      const status = isFinal(error) ? error.statusCode : null;
      changes.push({ from, to: null, edition, status, message: String(error) });
      throw error;
    }
  };
  try {
    for (let edition = 1; !signal.aborted; edition += 1) {
      await write((api, options) =>
        api.portals.pages.setBlocks(portalId, pageId, { blocks: blocksOf(edition) }, options),
      );
      await change(edition, (api, options) => api.portals.publish(portalId, options));
      await pause(random.between(100, 1_500));
      if (random.next() < 0.3) {
        await change(null, (api, options) => api.portals.unpublish(portalId, options));
        await pause(random.between(100, 1_000));
      }
    }
  } catch {
    // A rejection is in the changes, where the checker finds it.
  }
}

function blocksOf(edition: number) {
  const report = { metric: 'RUNS', filters: {}, groupBy: 'STATUS', chart: 'BAR' } as const;
  return [
    { type: 'HEADING' as const, text: `Edition ${edition}`, level: 1 },
    { type: 'RUN_LIST' as const, title: 'Newest', filters: {}, limit: 20 },
    { type: 'REPORT' as const, title: 'All', report },
  ];
}

/** Opens a page. Null without a response, or for an error of the service, because a fault may be the reason. */
async function openPage(url: string): Promise<PortalVisit | null> {
  const from = Date.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const html = await response.text();
    const { status } = response;
    if (status >= 500) return null;
    const edition = /Edition (\d+)</.exec(html)?.[1];
    const content = status === 200 ? /<svg[^]*<\/html>\s*$/ : /Page not found[^]*<\/html>\s*$/;
    const isWhole = content.test(html);
    return { from, to: Date.now(), status, edition: edition === undefined ? null : Number(edition), isWhole };
  } catch {
    return null;
  }
}
