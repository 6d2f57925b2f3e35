import { branch, leaf, type CommandTree } from './commands/tree.ts';

/** What `runward --help` lists. */
export const commands: CommandTree = {
  login: leaf('Check an API key and store it as a profile', async () => (await import('./commands/login.ts')).login),
  logout: leaf(
    'Remove the stored API key of the current profile, or of --profile',
    async () => (await import('./commands/logout.ts')).logout,
  ),
  whoami: leaf(
    'Print the server, the API key in use with its scopes, and its organization',
    async () => (await import('./commands/whoami.ts')).whoami,
  ),
  runs: branch(
    'Launch, list, export, explain and follow runs, and decide on approvals',
    async () => (await import('./commands/runs/commands.ts')).commands,
  ),
  views: branch('Manage saved views of runs', async () => (await import('./commands/views/commands.ts')).commands),
  tasks: branch(
    'Complete, assign, schedule and unblock the tasks of a run',
    async () => (await import('./commands/tasks/commands.ts')).commands,
  ),
  templates: branch(
    'Manage templates as files',
    async () => (await import('./commands/templates/commands.ts')).commands,
  ),
  webhooks: branch('Manage and test webhooks', async () => (await import('./commands/webhooks/commands.ts')).commands),
  data: branch(
    'Create, fill and list data sources',
    async () => (await import('./commands/data/commands.ts')).commands,
  ),
  files: branch('Upload, download and list files', async () => (await import('./commands/files/commands.ts')).commands),
  portals: branch('Manage and publish portals', async () => (await import('./commands/portals/commands.ts')).commands),
  audit: branch(
    'Export and verify the activity of runs',
    async () => (await import('./commands/audit/commands.ts')).commands,
  ),
  profiles: branch(
    'Manage stored servers and API keys',
    async () => (await import('./commands/profiles/commands.ts')).commands,
  ),
  analytics: leaf(
    'Print figures of the runs launched in a period, by default the last 30 days',
    async () => (await import('./commands/analytics.ts')).analytics,
  ),
  api: leaf('Send any request and print the response', async () => (await import('./commands/api.ts')).api),
};
