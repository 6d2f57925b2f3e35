import { leaf, type CommandTree } from '../tree.ts';

/** The commands of `runward profiles`, in the order of its help. */
export const commands: CommandTree = {
  list: leaf('List the stored profiles', async () => (await import('./list.ts')).listProfiles),
  use: leaf('Make a profile the current one', async () => (await import('./use.ts')).useProfile),
  remove: leaf('Remove a stored profile and its API key', async () => (await import('./remove.ts')).removeProfile),
};
