import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward templates`, which its help lists first. */
export const commands: CommandTree = {
  get: leaf(
    'Print a template with the phases, tasks and variables of its draft',
    async () => (await import('./get.ts')).getTemplate,
  ),
  pull: leaf(
    'Write a template as the JSON file that plan and apply take',
    async () => (await import('./pull.ts')).pullTemplate,
  ),
  plan: leaf('Print what applying a file would change', async () => (await import('./plan.ts')).planTemplate),
  apply: leaf(
    'Create a template from a file, or make its draft match the file',
    async () => (await import('./apply.ts')).applyTemplate,
  ),
  push: leaf(
    'Apply a file without asking, for scripts: the same as apply --yes',
    async () => (await import('./apply.ts')).pushTemplate,
  ),
  simulate: leaf(
    'Explore what runs of a template file can become, without a server',
    async () => (await import('./simulate.ts')).simulateTemplate,
  ),
  share: leaf(
    'Share a template with other organizations, and print the token',
    async () => (await import('./share.ts')).shareTemplate,
  ),
  import: leaf(
    'Import a template that another organization shares',
    async () => (await import('./import.ts')).importTemplate,
  ),
};
