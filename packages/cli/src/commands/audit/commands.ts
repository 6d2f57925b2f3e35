import { leaf, type CommandTree } from '../tree.ts';

/** The commands of `runward audit`, in the order of its help. */
export const commands: CommandTree = {
  export: leaf(
    'Export the activity of a run with its hashes',
    async () => (await import('./export.ts')).exportActivity,
  ),
  verify: leaf(
    'Verify an export of the activity of a run, offline',
    async () => (await import('./verify.ts')).verifyActivity,
  ),
};
