import { branch, leaf, type CommandTree } from '../tree.ts';

/** The commands of `runward portals`, in the order of its help. */
export const commands: CommandTree = {
  list: leaf('List portals, newest first', async () => (await import('./list.ts')).listPortals),
  get: leaf('Print a portal', async () => (await import('./get.ts')).getPortal),
  create: leaf('Create a portal without pages', async () => (await import('./create.ts')).createPortal),
  publish: leaf(
    'Publish a portal with all pending changes of its pages',
    async () => (await import('./publish.ts')).publishPortal,
  ),
  unpublish: leaf(
    'Hide a portal from its readers; its pages stay as they are',
    async () => (await import('./unpublish.ts')).unpublishPortal,
  ),
  delete: leaf(
    'Delete a portal with its pages and access rules',
    async () => (await import('./delete.ts')).deletePortal,
  ),
  pages: branch('Manage the pages of a portal', async () => (await import('./pages/commands.ts')).commands),
};
