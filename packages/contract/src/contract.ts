import { analytics } from './analytics/analytics.ts';
import { apiKeys } from './organization/api-keys.ts';
import { auth } from './organization/auth.ts';
import { dataSourceColumns } from './data-sources/columns.ts';
import { dataSourceRelations } from './data-sources/relations.ts';
import { dataSourceRows } from './data-sources/rows.ts';
import { dataSources } from './data-sources/data-sources.ts';
import { events } from './webhooks/events.ts';
import { files } from './files/files.ts';
import { templateAssets } from './files/template-assets.ts';
import { runFiles } from './files/uploads.ts';
import { folders } from './organization/folders.ts';
import { groups } from './organization/groups.ts';
import { organization } from './organization/organization.ts';
import { execution } from './runs/execution.ts';
import { health } from './http/health.ts';
import { me } from './organization/me.ts';
import { openapi } from './http/openapi.ts';
import { analyticsExports } from './exports/analytics.ts';
import { runExports } from './exports/runs.ts';
import { runBulk, taskBulk } from './runs/bulk.ts';
import { taskApprovals } from './runs/approvals.ts';
import { runDependencies, taskUnblocking } from './runs/dependencies.ts';
import { runExplain } from './runs/explain.ts';
import { runSummaries } from './runs/summaries.ts';
import { runMigration } from './runs/migration.ts';
import { runTasks } from './runs/tasks.ts';
import { taskList } from './runs/task-list.ts';
import { memberTasks } from './runs/member-tasks.ts';
import { runs } from './runs/runs.ts';
import { savedViews } from './runs/saved-views.ts';
import { portalAccessRules } from './portals/access-rules.ts';
import { portalPages } from './portals/pages.ts';
import { portals } from './portals/portals.ts';
import { reportPresets } from './portals/report-presets.ts';
import { portalViews } from './portals/view.ts';
import { templateDependencies } from './templates/dependencies.ts';
import { templateDraft } from './templates/draft.ts';
import { templateFields } from './templates/fields.ts';
import { templatePhases } from './templates/phases.ts';
import { templateRules } from './templates/rules.ts';
import { templateRulesSync } from './templates/rules-sync.ts';
import { sharedTemplates } from './templates/shared-templates.ts';
import { templateShares } from './templates/shares.ts';
import { templateRuns } from './runs/template-runs.ts';
import { templateTasks } from './templates/tasks.ts';
import { templateVariables } from './templates/variables.ts';
import { templateVersions } from './templates/versions.ts';
import { templates } from './templates/templates.ts';
import { users } from './organization/users.ts';
import { webhooks } from './webhooks/webhooks.ts';

/**
 * The whole API as one table. The key of a group is its place in the SDK (`runs.tasks` is `runward.runs.tasks`). Its file has the same
 * path in the contract, the server and the server's tests (`runs/tasks.ts`). `users` is composed of two tables, because hand-over
 * changes runs and therefore belongs to a higher feature (decision 0013).
 */
export interface Contract {
  readonly runs: typeof runs &
    typeof runBulk &
    typeof runDependencies &
    typeof runExplain &
    typeof runMigration &
    typeof runSummaries &
    typeof runExports;
  readonly 'runs.tasks': typeof taskList &
    typeof runTasks &
    typeof taskBulk &
    typeof taskUnblocking &
    typeof taskApprovals;
  readonly execution: typeof execution;
  readonly templates: typeof templates & typeof templateRulesSync;
  readonly 'templates.runs': typeof templateRuns;
  readonly 'templates.draft': typeof templateDraft;
  readonly 'templates.tasks': typeof templateTasks;
  readonly 'templates.fields': typeof templateFields;
  readonly 'templates.rules': typeof templateRules;
  readonly 'templates.dependencies': typeof templateDependencies;
  readonly 'templates.phases': typeof templatePhases;
  readonly 'templates.variables': typeof templateVariables;
  readonly 'templates.versions': typeof templateVersions;
  readonly 'templates.shares': typeof templateShares;
  readonly sharedTemplates: typeof sharedTemplates;
  readonly dataSources: typeof dataSources;
  readonly 'dataSources.columns': typeof dataSourceColumns;
  readonly 'dataSources.rows': typeof dataSourceRows;
  readonly 'dataSources.relations': typeof dataSourceRelations;
  readonly savedViews: typeof savedViews;
  readonly analytics: typeof analytics & typeof analyticsExports;
  readonly portals: typeof portals & typeof portalViews;
  readonly 'portals.pages': typeof portalPages;
  readonly 'portals.accessRules': typeof portalAccessRules;
  readonly 'portals.reportPresets': typeof reportPresets;
  readonly webhooks: typeof webhooks;
  readonly events: typeof events;
  readonly files: typeof files & typeof runFiles & typeof templateAssets;
  readonly me: typeof me;
  readonly users: typeof users & typeof memberTasks;
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
  runs: { ...runs, ...runBulk, ...runDependencies, ...runExplain, ...runMigration, ...runSummaries, ...runExports },
  'runs.tasks': { ...taskList, ...runTasks, ...taskBulk, ...taskUnblocking, ...taskApprovals },
  execution,
  templates: { ...templates, ...templateRulesSync },
  'templates.runs': templateRuns,
  'templates.draft': templateDraft,
  'templates.tasks': templateTasks,
  'templates.fields': templateFields,
  'templates.rules': templateRules,
  'templates.dependencies': templateDependencies,
  'templates.phases': templatePhases,
  'templates.variables': templateVariables,
  'templates.versions': templateVersions,
  'templates.shares': templateShares,
  sharedTemplates,
  dataSources,
  'dataSources.columns': dataSourceColumns,
  'dataSources.rows': dataSourceRows,
  'dataSources.relations': dataSourceRelations,
  savedViews,
  analytics: { ...analytics, ...analyticsExports },
  portals: { ...portals, ...portalViews },
  'portals.pages': portalPages,
  'portals.accessRules': portalAccessRules,
  'portals.reportPresets': reportPresets,
  webhooks,
  events,
  files: { ...files, ...runFiles, ...templateAssets },
  me,
  users: { ...users, ...memberTasks },
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

/** The name of an endpoint, like `runs.tasks.setStatus`: its place in the SDK and its OpenAPI operation id. */
export type Operation = { [G in GroupName]: `${G}.${keyof Contract[G] & string}` }[GroupName];
