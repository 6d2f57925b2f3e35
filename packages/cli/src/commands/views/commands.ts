import { leaf, type CommandTree } from '../tree.ts';

/** The commands of `runward views`, in the order of its help. */
export const commands: CommandTree = {
  list: leaf(
    'List your saved views and those of the organization, newest first',
    async () => (await import('./list.ts')).listViews,
  ),
  create: leaf('Save filters of runs under a name', async () => (await import('./create.ts')).createView),
  get: leaf('Print a saved view with its filters', async () => (await import('./get.ts')).getView),
  update: leaf(
    'Change a saved view; filters replace all filters that it has',
    async () => (await import('./update.ts')).updateView,
  ),
  delete: leaf('Delete a saved view; its runs stay', async () => (await import('./delete.ts')).deleteView),
};
