import { apiKeys } from './api-keys.ts';
import { auth } from './auth.ts';
import { events } from './events.ts';
import { execution } from './execution.ts';
import { folders } from './folders.ts';
import { groups } from './groups.ts';
import type { AllHandlers } from './handler.ts';
import { organization } from './organization.ts';
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

/** Every handler behind the guard, by contract group. */
export const handlers: AllHandlers = {
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
};
