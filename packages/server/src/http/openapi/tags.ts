import type { GroupName } from '@runward/contract';

/** What each group of endpoints is about. */
const descriptions: Readonly<Record<GroupName, string>> = {
  runs: 'Processes in progress or finished: launch, complete, cancel, reopen, archive, count, export.',
  'runs.tasks': 'Direct changes to the tasks of runs: status, deadline, assignee.',
  execution: 'The forms of tasks: open an entry, submit values, complete it.',
  templates: 'Blueprints of processes: settings, publishing, archiving, the fields of the published version.',
  'templates.runs': 'The runs of one template.',
  'templates.draft': 'The draft of a template as one document.',
  'templates.tasks': 'The tasks of the draft of a template.',
  'templates.fields': 'The form fields of the tasks of a draft.',
  'templates.phases': 'The phases of the draft of a template.',
  'templates.variables': 'The flow variables of the draft of a template.',
  'templates.versions': 'The published versions of a template. They never change.',
  webhooks: 'Receivers of events, and the deliveries to them.',
  events: 'The feed of all events, for clients that poll.',
  files: 'Files that the service stores.',
  users: 'The members of the organization.',
  groups: 'Groups of members that tasks can be assigned to.',
  folders: 'Folders of templates.',
  organization: 'The settings of the organization and the secret that signs its webhooks.',
  apiKeys: 'API keys, managed by owners and admins in a browser session.',
  auth: 'Browser sessions: sign in, sign out, change the password.',
  health: 'Checks for load balancers and supervisors.',
  openapi: 'This document.',
};

/** The tags of the document, one per group of the contract, in its order. */
export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }));
