import { health } from './http/health.ts';
import { openapi } from './http/openapi.ts';
import * as parts from './parts.ts';

/**
 * The endpoints of each part. A part is declared in one file of the contract and handled in the file of the same path
 * in the server.
 */
export type Parts = typeof parts;

/**
 * Sorts tables of parts into groups: endpoints here, handlers in the server. A group has several parts if its endpoints
 * belong to several files or features (decision 0013). The key of a group is its place in the SDK: `runs.tasks` is
 * `runward.runs.tasks`.
 */
export function byGroup<Tables extends Record<keyof Parts, object>>(tables: Tables) {
  // Indexing `tables` directly would give the type common to all tables instead of the type of this part.
  const part = <Part extends keyof Parts>(name: Part): Tables[Part] => tables[name];
  return {
    runs: {
      ...part('runs'),
      ...part('runBulk'),
      ...part('runDependencies'),
      ...part('runExplain'),
      ...part('runMigration'),
      ...part('runSummaries'),
      ...part('searchableFields'),
      ...part('runExports'),
    },
    'runs.tasks': {
      ...part('taskList'),
      ...part('taskForms'),
      ...part('formLinks'),
      ...part('runTasks'),
      ...part('taskBulk'),
      ...part('taskUnblocking'),
      ...part('taskApprovals'),
      ...part('taskComments'),
    },
    'runs.comments': part('runComments'),
    execution: part('execution'),
    templates: { ...part('templates'), ...part('templateRulesSync') },
    'templates.runs': part('templateRuns'),
    'templates.draft': part('templateDraft'),
    'templates.tasks': part('templateTasks'),
    'templates.fields': part('templateFields'),
    'templates.rules': part('templateRules'),
    'templates.dependencies': part('templateDependencies'),
    'templates.phases': part('templatePhases'),
    'templates.variables': part('templateVariables'),
    'templates.versions': part('templateVersions'),
    'templates.shares': part('templateShares'),
    sharedTemplates: part('sharedTemplates'),
    dataSources: part('dataSources'),
    'dataSources.columns': part('dataSourceColumns'),
    'dataSources.rows': part('dataSourceRows'),
    'dataSources.relations': part('dataSourceRelations'),
    savedViews: part('savedViews'),
    analytics: { ...part('analytics'), ...part('analyticsExports') },
    attention: part('attention'),
    portals: { ...part('portals'), ...part('portalViews') },
    'portals.pages': part('portalPages'),
    'portals.accessRules': part('portalAccessRules'),
    'portals.reportPresets': part('reportPresets'),
    webhooks: part('webhooks'),
    mails: part('mails'),
    auditLog: part('auditLog'),
    events: part('events'),
    files: { ...part('files'), ...part('runFiles'), ...part('templateAssets') },
    me: part('me'),
    'me.tasks': part('myTasks'),
    'me.notifications': part('notificationPreferences'),
    users: {
      ...part('users'),
      ...part('passwordLinks'),
      ...part('memberTasks'),
      ...part('memberIdentities'),
      ...part('memberPasskeys'),
    },
    groups: part('groups'),
    grants: part('grants'),
    folders: part('folders'),
    organization: part('organization'),
    apiKeys: part('apiKeys'),
    auth: { ...part('auth'), ...part('passkeys') },
  } as const;
}

/**
 * The whole API as one table. Health checks and the OpenAPI document describe the process; they have no handlers behind
 * the guard.
 */
export interface Contract extends ReturnType<typeof byGroup<Parts>> {
  readonly health: typeof health;
  readonly openapi: typeof openapi;
}

/** See {@link Contract}. */
export const contract: Contract = { ...byGroup(parts), health, openapi };

/** The key of a group. */
export type GroupName = keyof Contract;

/** The name of an endpoint, like `runs.tasks.setStatus`: its place in the SDK and its OpenAPI operation id. */
export type Operation = { [G in GroupName]: `${G}.${keyof Contract[G] & string}` }[GroupName];
