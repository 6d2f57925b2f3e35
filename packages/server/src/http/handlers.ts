import { byGroup, type Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { analytics } from '../analytics/analytics.ts';
import { attention } from '../analytics/attention.ts';
import { auditLog } from '../audit-log/audit-log.ts';
import { dataSourceColumns } from '../data-sources/columns.ts';
import { dataSources } from '../data-sources/data-sources.ts';
import { dataSourceRelations } from '../data-sources/relations.ts';
import { dataSourceRows } from '../data-sources/rows.ts';
import { analyticsExports } from '../exports/analytics.ts';
import { runExports } from '../exports/runs.ts';
import { files } from '../files/files.ts';
import { templateAssets } from '../files/template-assets.ts';
import { runFiles } from '../files/uploads.ts';
import { mails } from '../notifications/mails.ts';
import { notificationPreferences } from '../notifications/preferences.ts';
import { apiKeys } from '../organization/api-keys.ts';
import { auth } from '../organization/auth.ts';
import { folders } from '../organization/folders.ts';
import { grants } from '../organization/grants.ts';
import { groups } from '../organization/groups.ts';
import { memberIdentities } from '../organization/identities.ts';
import { me } from '../organization/me.ts';
import { organization } from '../organization/organization.ts';
import { memberPasskeys, passkeys } from '../organization/passkeys.ts';
import { passwordLinks } from '../organization/password-links.ts';
import { users } from '../organization/users.ts';
import { portalAccessRules } from '../portals/access-rules.ts';
import { portalPages } from '../portals/pages.ts';
import { portals } from '../portals/portals.ts';
import { reportPresets } from '../portals/report-presets.ts';
import { portalViews } from '../portals/view.ts';
import { taskApprovals } from '../runs/approvals.ts';
import { runBulk, taskBulk } from '../runs/bulk.ts';
import { runComments, taskComments } from '../runs/comments.ts';
import { runDependencies, taskUnblocking } from '../runs/dependencies.ts';
import { execution } from '../runs/execution.ts';
import { runExplain } from '../runs/explain.ts';
import { formLinks } from '../runs/form-links.ts';
import { memberTasks } from '../runs/member-tasks.ts';
import { runMigration } from '../runs/migration.ts';
import { myTasks } from '../runs/my-tasks.ts';
import { runs } from '../runs/runs.ts';
import { savedViews } from '../runs/saved-views.ts';
import { searchableFields } from '../runs/searchable-fields.ts';
import { runSummaries } from '../runs/summaries.ts';
import { taskForms } from '../runs/task-form.ts';
import { taskList } from '../runs/task-list.ts';
import { runTasks } from '../runs/tasks.ts';
import { templateRuns } from '../runs/template-runs.ts';
import { templateDependencies } from '../templates/dependencies.ts';
import { templateDraft } from '../templates/draft.ts';
import { templateFields } from '../templates/fields.ts';
import { templatePhases } from '../templates/phases.ts';
import { templateRulesSync } from '../templates/rules-sync.ts';
import { templateRules } from '../templates/rules.ts';
import { sharedTemplates } from '../templates/shared-templates.ts';
import { templateShares } from '../templates/shares.ts';
import { templateTasks } from '../templates/tasks.ts';
import { templates } from '../templates/templates.ts';
import { templateVariables } from '../templates/variables.ts';
import { templateVersions } from '../templates/versions.ts';
import { events } from '../webhooks/events.ts';
import { webhooks } from '../webhooks/webhooks.ts';

type Tables = { readonly [Part in keyof Parts]: Handlers<Parts[Part]> };

/** Every handler behind the guard, by contract group. The compiler reports missing and surplus parts. */
export const handlers: Readonly<Record<string, object>> = byGroup<Tables>({
  analytics,
  analyticsExports,
  apiKeys,
  attention,
  auditLog,
  auth,
  dataSourceColumns,
  dataSourceRelations,
  dataSourceRows,
  dataSources,
  events,
  execution,
  files,
  folders,
  grants,
  groups,
  mails,
  me,
  memberIdentities,
  memberPasskeys,
  memberTasks,
  myTasks,
  notificationPreferences,
  organization,
  passkeys,
  passwordLinks,
  portalAccessRules,
  portalPages,
  portalViews,
  portals,
  reportPresets,
  runBulk,
  runComments,
  runDependencies,
  runExplain,
  runExports,
  runFiles,
  formLinks,
  runMigration,
  runSummaries,
  searchableFields,
  runTasks,
  runs,
  savedViews,
  sharedTemplates,
  taskApprovals,
  taskBulk,
  taskComments,
  taskForms,
  taskList,
  taskUnblocking,
  templateAssets,
  templateDependencies,
  templateDraft,
  templateFields,
  templatePhases,
  templateRules,
  templateRulesSync,
  templateRuns,
  templateShares,
  templateTasks,
  templateVariables,
  templateVersions,
  templates,
  users,
  webhooks,
});
