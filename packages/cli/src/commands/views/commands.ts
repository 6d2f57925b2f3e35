import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward views`, which its help lists first. */
export const commands: CommandTree = {
  create: leaf('Save filters of runs under a name', async () => (await import('./create.ts')).createView),
  update: leaf(
    'Change a saved view; filters replace all filters that it has',
    async () => (await import('./update.ts')).updateView,
  ),
};
