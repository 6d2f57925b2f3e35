import { apiKeys } from './api-keys.ts';
import { auth } from './auth.ts';
import { events } from './events.ts';
import { folders } from './folders.ts';
import { groups } from './groups.ts';
import { organization } from './organization.ts';
import { execution } from './execution.ts';
import { health } from './health.ts';
import { openapi } from './openapi.ts';
import { runTasks } from './run-tasks.ts';
import { runs } from './runs.ts';
import { templateFields } from './template-fields.ts';
import { templatePhases } from './template-phases.ts';
import { templateRuns } from './template-runs.ts';
import { templateTasks } from './template-tasks.ts';
import { templateVariables } from './template-variables.ts';
import { templateVersions } from './template-versions.ts';
import { templates } from './templates.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/**
 * The whole API as one table. A group's key is its place in the SDK (`runs.tasks` is `runward.runs.tasks`); its file name
 * is the same in every package (`run-tasks.ts`).
 */
export interface Contract {
  readonly runs: typeof runs;
  readonly 'runs.tasks': typeof runTasks;
  readonly execution: typeof execution;
  readonly templates: typeof templates;
  readonly 'templates.runs': typeof templateRuns;
  readonly 'templates.tasks': typeof templateTasks;
  readonly 'templates.fields': typeof templateFields;
  readonly 'templates.phases': typeof templatePhases;
  readonly 'templates.variables': typeof templateVariables;
  readonly 'templates.versions': typeof templateVersions;
  readonly webhooks: typeof webhooks;
  readonly events: typeof events;
  readonly users: typeof users;
  readonly groups: typeof groups;
  readonly folders: typeof folders;
  readonly organization: typeof organization;
  readonly apiKeys: typeof apiKeys;
  readonly auth: typeof auth;
  readonly health: typeof health;
  readonly openapi: typeof openapi;
}

/** See {@link Contract}. */
export const contract: Contract = {
  runs,
  'runs.tasks': runTasks,
  execution,
  templates,
  'templates.runs': templateRuns,
  'templates.tasks': templateTasks,
  'templates.fields': templateFields,
  'templates.phases': templatePhases,
  'templates.variables': templateVariables,
  'templates.versions': templateVersions,
  webhooks,
  events,
  users,
  groups,
  folders,
  organization,
  apiKeys,
  auth,
  health,
  openapi,
};

/** The key of a group. */
export type GroupName = keyof Contract;

/** The name of an endpoint, like `runs.tasks.setStatus`; its place in the SDK and its OpenAPI operation id. */
export type Operation = { [G in GroupName]: `${G}.${keyof Contract[G] & string}` }[GroupName];
