import type { GroupName } from '@runward/contract';

/** The name and the description of each group of endpoints in the document. */
const texts: Readonly<Record<GroupName, readonly [name: string, description: string]>> = {
  runs: ['Runs', 'Processes in progress or finished: launch, complete, cancel, reopen, archive, count, export.'],
  'runs.tasks': ['Run tasks', 'Direct changes to the tasks of runs: status, deadline, assignee.'],
  'runs.comments': ['Comments', 'What people say about a run and its tasks.'],
  execution: ['Execution', 'The forms of tasks: open an entry, submit values, complete it.'],
  templates: [
    'Templates',
    'Blueprints of processes: settings, publishing, archiving, the fields of the published version.',
  ],
  'templates.runs': ['Template runs', 'The runs of one template.'],
  'templates.draft': ['Template drafts', 'The draft of a template as one document.'],
  'templates.tasks': ['Template tasks', 'The tasks of the draft of a template.'],
  'templates.fields': ['Template fields', 'The form fields of the tasks of a draft.'],
  'templates.rules': [
    'Template rules',
    'Conditional logic of a draft: what is shown, hidden, assigned and set while conditions are met.',
  ],
  'templates.dependencies': ['Template dependencies', 'Which tasks of a draft wait for which others.'],
  'templates.phases': ['Template phases', 'The phases of the draft of a template.'],
  'templates.variables': ['Template variables', 'The flow variables of the draft of a template.'],
  'templates.versions': ['Template versions', 'The published versions of a template. They never change.'],
  'templates.shares': ['Template shares', 'Tokens that let other organizations import a template.'],
  sharedTemplates: ['Shared templates', 'Changes of shares, and what their tokens allow: preview and import.'],
  dataSources: ['Data sources', "Tables of the organization's own data."],
  'dataSources.columns': ['Data source columns', 'The columns of a data source and their types.'],
  'dataSources.rows': ['Data source rows', 'The rows of a data source: search, filter, sort, change many at once.'],
  'dataSources.relations': ['Data source relations', 'Links between rows by RELATION columns.'],
  savedViews: ['Saved views', 'Named filter sets of runs.'],
  analytics: ['Analytics', 'Figures of the runs of a period.'],
  attention: ['Attention', 'What needs the attention of owners and admins.'],
  portals: ['Portals', 'Sites of the organization for its customers: settings, publishing, what readers see.'],
  'portals.pages': ['Portal pages', 'The pages of portals: blocks with text, images and live data.'],
  'portals.accessRules': ['Portal access rules', 'Who may read portals that are not public.'],
  'portals.reportPresets': ['Report presets', 'Reports under a name, for the pages of portals.'],
  webhooks: ['Webhooks', 'Receivers of events, and the deliveries to them.'],
  mails: ['Mails', 'The mails to members, and what the mail server said to them.'],
  auditLog: ['Audit log', 'What was done to administer the organization, by whom, and from where.'],
  events: ['Events', 'The feed of all events, for clients that poll.'],
  files: ['Files', 'Files of the forms of runs and images of templates: upload, download, scan, thumbnails, ZIP.'],
  me: ['Caller', 'The API key or the member that a request is authenticated as.'],
  'me.tasks': ['Tasks of the caller', 'What the caller has to do: own tasks, those of own groups, and approvals.'],
  'me.notifications': ['Notifications of the caller', 'Which notifications the caller gets by mail, and when.'],
  users: ['Users', 'The members of the organization.'],
  grants: ['Grants', 'The templates and folders that members and groups have access to.'],
  groups: ['Groups', 'Groups of members that tasks can be assigned to.'],
  folders: ['Folders', 'Folders of templates.'],
  organization: ['Organization', 'The settings of the organization and the secret that signs its webhooks.'],
  apiKeys: ['API keys', 'API keys, managed by owners and admins in a browser session.'],
  auth: ['Sessions', 'Browser sessions: sign in, sign out, change the password.'],
  health: ['Health', 'Checks for load balancers and supervisors.'],
  openapi: ['OpenAPI', 'This document.'],
};

/** The tags of the document, one per group of the contract. */
export const tags = Object.values(texts).map(([name, description]) => ({ name, description }));

/** The tag of a group. */
export function tagOf(group: GroupName): string {
  return texts[group][0];
}
