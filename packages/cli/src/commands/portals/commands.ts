import { branch, leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward portals`, which its help lists first. */
export const commands: CommandTree = {
  pages: branch('Manage the pages of a portal', async () => ({
    set: leaf(
      'Replace the blocks of the draft of a page by those of a file',
      async () => (await import('./set-page.ts')).setPage,
    ),
  })),
};
