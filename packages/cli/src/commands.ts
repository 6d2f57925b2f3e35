import { branch, leaf, type CommandTree } from './commands/tree.ts';
import { noun } from './operations/tree.ts';

/** What `runward --help` lists. */
export const commands: CommandTree = {
  login: leaf('Check an API key and store it as a profile', async () => (await import('./commands/login.ts')).login),
  logout: leaf(
    'Remove the stored API key of the current profile, or of --profile',
    async () => (await import('./commands/logout.ts')).logout,
  ),
  whoami: leaf(
    'Print the server, the API key in use with its member and scopes, and its organization',
    async () => (await import('./commands/whoami.ts')).whoami,
  ),
  runs: noun(
    'runs',
    'Launch, list, export, explain and follow runs',
    () => import('./generated/operations/runs.ts'),
    () => import('./commands/runs/commands.ts'),
  ),
  views: noun(
    'views',
    'Manage saved views of runs',
    () => import('./generated/operations/views.ts'),
    () => import('./commands/views/commands.ts'),
  ),
  tasks: noun(
    'tasks',
    'Complete, approve, assign, schedule and unblock the tasks of a run',
    () => import('./generated/operations/tasks.ts'),
    () => import('./commands/tasks/commands.ts'),
  ),
  templates: noun(
    'templates',
    'Manage templates as files',
    () => import('./generated/operations/templates.ts'),
    () => import('./commands/templates/commands.ts'),
  ),
  webhooks: noun(
    'webhooks',
    'Manage and test webhooks',
    () => import('./generated/operations/webhooks.ts'),
    () => import('./commands/webhooks/commands.ts'),
  ),
  data: noun(
    'data',
    'Create, fill and list data sources',
    () => import('./generated/operations/data.ts'),
    () => import('./commands/data/commands.ts'),
  ),
  files: noun(
    'files',
    'Upload, download and list files',
    () => import('./generated/operations/files.ts'),
    () => import('./commands/files/commands.ts'),
  ),
  portals: noun(
    'portals',
    'Manage and publish portals',
    () => import('./generated/operations/portals.ts'),
    () => import('./commands/portals/commands.ts'),
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
  users: noun('users', 'List the members of the organization', () => import('./generated/operations/users.ts')),
  groups: noun('groups', 'List the groups of the organization', () => import('./generated/operations/groups.ts')),
  folders: noun('folders', 'Manage folders of templates', () => import('./generated/operations/folders.ts')),
  'shared-templates': noun(
    'shared-templates',
    'Change and preview shares of templates',
    () => import('./generated/operations/shared-templates.ts'),
  ),
  execution: noun(
    'execution',
    'Open, fill in and complete the form of a task step by step',
    () => import('./generated/operations/execution.ts'),
  ),
  events: noun('events', 'Read the feed of events', () => import('./generated/operations/events.ts')),
  health: noun('health', 'Print whether the server runs', () => import('./generated/operations/health.ts')),
  openapi: noun('openapi', 'Print the OpenAPI document', () => import('./generated/operations/openapi.ts')),
  completion: leaf(
    'Print the script that completes commands in a shell',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  api: leaf('Send any request and print the response', async () => (await import('./commands/api.ts')).api),
};
