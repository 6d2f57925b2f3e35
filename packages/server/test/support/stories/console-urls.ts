import { consolePages } from '../../../src/pages/console/console-pages.ts';
import type { Ids } from '../world/world.ts';

/** The record that a page shows, by the part of its path that ends with the id. */
const records: Readonly<Record<string, keyof Ids>> = {
  '/console/tasks/:runTaskId': 'runTask',
  '/console/tasks/files/:fileId': 'file',
  '/console/runs/:id': 'run',
  '/console/launch/:templateId': 'template',
  '/console/members/:id': 'member',
  '/console/groups/:id': 'group',
  '/console/folders/:id': 'folder',
  '/console/keys/:id': 'apiKey',
  '/console/comments/:id': 'comment',
  '/console/mails/:id': 'mail',
  '/console/webhooks/:id': 'webhook',
  '/console/webhooks/:id/deliveries/:deliveryId': 'delivery',
};

/** What pages need besides their path, and further states of a page that look different. */
const queries: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  '/console/runs/bulk': ({ run }) => [`action=cancel&run=${run}`, `action=assign&run=${run}`],
  '/console/runs/:id': () => ['', 'at=2099-01-01T00:00'],
  '/console/runs/:id/change': ({ runTask }) => ['do=cancel', 'do=rename', `do=unblock&task=${runTask}`],
  '/console/audit-log': () => ['', 'action=session.rejected'],
  '/console/search': () => ['', 'q=supplier', 'q=nowhere'],
  '/console/tasks': () => ['', 'show=APPROVAL'],
};

/** A page of the console as it is opened. */
interface ConsoleUrl {
  readonly name: string;
  readonly path: string;
}

/** The URLs of all pages of the console, and why a page has none. */
export function consoleUrls(ids: Ids): { readonly urls: readonly ConsoleUrl[]; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const gets = Object.entries(consolePages).filter(([, { method }]) => method === 'GET');
  const urls = gets.flatMap(([name, { path: pattern }]) => {
    const filled = pattern.replaceAll(/:\w+/g, (parameter, position: number) => {
      const record = records[pattern.slice(0, position) + parameter];
      if (record !== undefined) return ids[record];
      missing.push(`${name}: add a record for "${pattern.slice(0, position)}${parameter}" to console-urls.ts`);
      return 'none';
    });
    const searches = queries[pattern]?.(ids) ?? [''];
    return searches.map((search) => ({ name, path: search === '' ? filled : `${filled}?${search}` }));
  });
  return { urls, missing };
}
