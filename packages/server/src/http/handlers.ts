import { analytics } from '../analytics/analytics.ts';
import { apiKeys } from '../organization/api-keys.ts';
import { auth } from '../organization/auth.ts';
import { dataSourceColumns } from '../data-sources/columns.ts';
import { dataSources } from '../data-sources/data-sources.ts';
import { dataSourceRelations } from '../data-sources/relations.ts';
import { dataSourceRows } from '../data-sources/rows.ts';
import { events } from '../webhooks/events.ts';
import { execution } from '../runs/execution.ts';
import { files } from '../files/files.ts';
import { templateAssets } from '../files/template-assets.ts';
import { runFiles } from '../files/uploads.ts';
import { folders } from '../organization/folders.ts';
import { groups } from '../organization/groups.ts';
import type { AllHandlers } from '../access/handler.ts';
import { me } from '../organization/me.ts';
import { organization } from '../organization/organization.ts';
import { memberTasks } from '../runs/member-tasks.ts';
import { analyticsExports } from '../exports/analytics.ts';
import { portalAccessRules } from '../portals/access-rules.ts';
import { portalPages } from '../portals/pages.ts';
import { portals } from '../portals/portals.ts';
import { reportPresets } from '../portals/report-presets.ts';
import { portalViews } from '../portals/view.ts';
import { runExports } from '../exports/runs.ts';
import { runBulk, taskBulk } from '../runs/bulk.ts';
import { taskApprovals } from '../runs/approvals.ts';
import { runDependencies, taskUnblocking } from '../runs/dependencies.ts';
import { runExplain } from '../runs/explain.ts';
import { runSummaries } from '../runs/summaries.ts';
import { runMigration } from '../runs/migration.ts';
import { runTasks } from '../runs/tasks.ts';
import { taskList } from '../runs/task-list.ts';
import { runs } from '../runs/runs.ts';
import { savedViews } from '../runs/saved-views.ts';
import { templateDependencies } from '../templates/dependencies.ts';
import { templateDraft } from '../templates/draft.ts';
import { templateFields } from '../templates/fields.ts';
import { templatePhases } from '../templates/phases.ts';
import { templateRules } from '../templates/rules.ts';
import { templateRulesSync } from '../templates/rules-sync.ts';
import { sharedTemplates } from '../templates/shared-templates.ts';
import { templateShares } from '../templates/shares.ts';
import { templateRuns } from '../runs/template-runs.ts';
import { templateTasks } from '../templates/tasks.ts';
import { templateVariables } from '../templates/variables.ts';
import { templateVersions } from '../templates/versions.ts';
import { templates } from '../templates/templates.ts';
import { users } from '../organization/users.ts';
import { webhooks } from '../webhooks/webhooks.ts';

/** Every handler behind the guard, by contract group. */
export const handlers: AllHandlers = {
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
};
