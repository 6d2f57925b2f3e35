import { leaf, type CommandTree } from '../../tree.ts';

/** The commands of `runward portals pages`, in the order of its help. */
export const commands: CommandTree = {
  list: leaf('List the pages of a portal, in order', async () => (await import('./list.ts')).listPages),
  get: leaf('Print a page with its blocks', async () => (await import('./get.ts')).getPage),
  create: leaf(
    'Add a page without blocks at the end of a portal',
    async () => (await import('./create.ts')).createPage,
  ),
  set: leaf(
    'Replace the blocks of the draft of a page by those of a file',
    async () => (await import('./set.ts')).setPage,
  ),
  delete: leaf('Delete a page; readers no longer see it', async () => (await import('./delete.ts')).deletePage),
};
