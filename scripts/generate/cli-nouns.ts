import type { GroupName, Operation } from '@runward/contract';

/**
 * The words of the commands of a group. A noun below another one has its description for help here; the others have
 * theirs in `packages/cli/src/commands.ts`.
 */
export const nouns: Readonly<Partial<Record<GroupName, readonly [words: string, description?: string]>>> = {
  runs: ['runs'],
  'runs.tasks': ['tasks'],
  'runs.comments': ['runs comments', 'Read, edit and delete comments'],
  execution: ['execution'],
  templates: ['templates'],
  'templates.runs': ['templates runs', 'List and launch the runs of a template'],
  'templates.draft': ['templates draft', 'Print the draft of a template'],
  'templates.tasks': ['templates tasks', 'Change the tasks of a draft'],
  'templates.fields': ['templates fields', 'Change the fields of a draft'],
  'templates.rules': ['templates rules', 'Change the rules of a draft'],
  'templates.dependencies': ['templates dependencies', 'List and change which tasks of a draft wait for others'],
  'templates.phases': ['templates phases', 'Change the phases of a draft'],
  'templates.variables': ['templates variables', 'Change the variables of a draft'],
  'templates.versions': ['templates versions', 'List, compare and restore published versions'],
  sharedTemplates: ['shared-templates'],
  dataSources: ['data'],
  'dataSources.columns': ['data columns', 'Change the columns of a data source'],
  'dataSources.rows': ['data row', 'Change single rows of a data source'],
  'dataSources.relations': ['data relations', 'Link rows of data sources'],
  savedViews: ['views'],
  portals: ['portals'],
  'portals.pages': ['portals pages', 'Manage the pages of a portal'],
  'portals.accessRules': ['portals access-rules', 'Say who may read a restricted portal'],
  'portals.reportPresets': ['portals report-presets', 'Manage the reports that portals show'],
  webhooks: ['webhooks'],
  events: ['events'],
  files: ['files'],
  users: ['users'],
  groups: ['groups'],
  folders: ['folders'],
  health: ['health'],
  openapi: ['openapi'],
};

/** The words of commands that are not named after their group and method. */
export const ownWords: Readonly<Partial<Record<Operation, string>>> = {
  'runs.tasks.forceUnblock': 'tasks unblock',
  'me.tasks.counts': 'tasks counts',
  'templates.shares.list': 'templates shares',
  'sharedTemplates.revoke': 'templates unshare',
  'files.scanStatus': 'files status',
};

/** Body properties that are arguments of the command instead of options, with their names in help. */
export const bodyArguments: Readonly<Partial<Record<Operation, Readonly<Record<string, string>>>>> = {
  'runs.archive': { runIds: 'run' },
  'runs.unarchive': { runIds: 'run' },
  'portals.create': { name: 'name' },
  'portals.pages.create': { title: 'title' },
};

/** The examples that help shows. */
export const examples: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  'runs.get': [`runward runs get RUN -o json | jq '.tasks[] | select(.status == "PENDING")'`],
  'runs.tasks.forceUnblock': ['runward tasks list --status BLOCKED', 'runward tasks unblock TASK'],
  'portals.create': ['runward portals create "Supplier portal" --slug suppliers --audience PUBLIC'],
  'portals.pages.create': ['runward portals pages create suppliers Overview --slug overview'],
  'portals.pages.get': ['runward portals pages get suppliers overview -o json > overview.json'],
};
