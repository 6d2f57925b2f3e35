import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { createPage } from './pages/create.ts';
import { deletePage } from './pages/delete.ts';
import { getPage } from './pages/get.ts';
import { listPages } from './pages/list.ts';
import { setPage } from './pages/set.ts';

/** `runward portals pages`. */
export function portalPages(portals: Command, action: Action): void {
  const pages = portals.command('pages').description('Manage the pages of a portal');
  for (const add of [listPages, getPage, createPage, setPage, deletePage]) add(pages, action);
}
