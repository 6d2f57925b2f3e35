import { branch, leaf, type CommandTree } from './commands/tree.ts';
import { withOperations } from './operations/tree.ts';

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
  runs: branch('Launch, list, export, explain and follow runs, and decide on approvals', async () =>
    withOperations(
      (await import('./commands/runs/commands.ts')).commands,
      'runs',
      (await import('./generated/operations/runs.ts')).operations,
    ),
  ),
  views: branch('Manage saved views of runs', async () =>
    withOperations(
      (await import('./commands/views/commands.ts')).commands,
      'views',
      (await import('./generated/operations/views.ts')).operations,
    ),
  ),
  tasks: branch('Complete, assign, schedule and unblock the tasks of a run', async () =>
    withOperations(
      (await import('./commands/tasks/commands.ts')).commands,
      'tasks',
      (await import('./generated/operations/tasks.ts')).operations,
    ),
  ),
  templates: branch('Manage templates as files', async () =>
    withOperations(
      (await import('./commands/templates/commands.ts')).commands,
      'templates',
      (await import('./generated/operations/templates.ts')).operations,
    ),
  ),
  webhooks: branch('Manage and test webhooks', async () =>
    withOperations(
      (await import('./commands/webhooks/commands.ts')).commands,
      'webhooks',
      (await import('./generated/operations/webhooks.ts')).operations,
    ),
  ),
  data: branch('Create, fill and list data sources', async () =>
    withOperations(
      (await import('./commands/data/commands.ts')).commands,
      'data',
      (await import('./generated/operations/data.ts')).operations,
    ),
  ),
  files: branch('Upload, download and list files', async () =>
    withOperations(
      (await import('./commands/files/commands.ts')).commands,
      'files',
      (await import('./generated/operations/files.ts')).operations,
    ),
  ),
  portals: branch('Manage and publish portals', async () =>
    withOperations(
      (await import('./commands/portals/commands.ts')).commands,
      'portals',
      (await import('./generated/operations/portals.ts')).operations,
    ),
  ),
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
  users: branch('List the members of the organization', async () =>
    withOperations({}, 'users', (await import('./generated/operations/users.ts')).operations),
  ),
  groups: branch('List the groups of the organization', async () =>
    withOperations({}, 'groups', (await import('./generated/operations/groups.ts')).operations),
  ),
  folders: branch('Manage folders of templates', async () =>
    withOperations({}, 'folders', (await import('./generated/operations/folders.ts')).operations),
  ),
  'shared-templates': branch('Change and preview shares of templates', async () =>
    withOperations({}, 'shared-templates', (await import('./generated/operations/shared-templates.ts')).operations),
  ),
  execution: branch('Open, fill in and complete the form of a task step by step', async () =>
    withOperations({}, 'execution', (await import('./generated/operations/execution.ts')).operations),
  ),
  events: branch('Read the feed of events', async () =>
    withOperations({}, 'events', (await import('./generated/operations/events.ts')).operations),
  ),
  health: branch('Print whether the server runs', async () =>
    withOperations({}, 'health', (await import('./generated/operations/health.ts')).operations),
  ),
  openapi: branch('Print the OpenAPI document', async () =>
    withOperations({}, 'openapi', (await import('./generated/operations/openapi.ts')).operations),
  ),
  completion: leaf(
    'Print the script that completes commands in a shell',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  api: leaf('Send any request and print the response', async () => (await import('./commands/api.ts')).api),
};
