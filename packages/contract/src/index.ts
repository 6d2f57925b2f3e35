export { attentionDays, listedAttention, maximumAttention } from './analytics/attention.ts';
export { maximumFindings, maximumGroups, maximumYears } from './analytics/figures.ts';
export {
  maximumReportRows,
  reportGroupings,
  reportMetrics,
  type ReportGrouping,
  type ReportMetric,
  type ReportResult,
} from './analytics/report.ts';
export {
  auditActionNames,
  auditActions,
  auditActorTypes,
  auditTargetTypes,
  type AuditAction,
} from './audit-log/actions.ts';
export { auditRetentionDays } from './audit-log/audit-log.ts';
export { byGroup, contract, type Contract, type GroupName, type Operation, type Parts } from './contract.ts';
export { deprecated, deprecationText, type CalendarDate, type Deprecation } from './deprecation.ts';
export {
  capabilities,
  effectOf,
  parameterNames,
  parametersOf,
  statusOf,
  type Access,
  type Body,
  type BodyInput,
  type Capability,
  type Effect,
  type Endpoint,
  type Group,
  type Method,
  type Params,
  type PathParameter,
  type Query,
  type QueryInput,
  type Response,
} from './endpoint.ts';
export { argumentNames, describeParameter } from './path-parameters.ts';
export { fileName, maximumUploadBytes, scanStatuses, type ScanStatus } from './files/file.ts';
export { exactNumber } from './exact-number.ts';
export { formats } from './formats.ts';
export { defaultLimits, limits, limitVariable, type Limit, type LimitName, type Limits } from './limits.ts';
export { mailRetentionDays } from './notifications/mails.ts';
export {
  defaultDigestHour,
  mailLimits,
  mailStatuses,
  notificationChoices,
  notificationKinds,
  type NotificationChoice,
  type NotificationKind,
} from './notifications/kinds.ts';
export { passkeyMinutes, passkeysPerMember } from './organization/passkeys.ts';
export { parseBounded } from './problems/parse-bounded.ts';
export { problemsOf, withInput } from './problems/problems.ts';
export { recordOf } from './record.ts';
export { routesOf, type Route } from './route.ts';
export { maximumLaunchedTasks } from './runs/bulk.ts';
export { normalizeTimestamp } from './timestamps.ts';
export { valuePath } from './problems/value-path.ts';
export { errorCodes, type ErrorCode, type ErrorCodeOf } from './error-codes.ts';
export { type ErrorMeaning } from './rule-errors.ts';
export { errorBody, errorNames, type ErrorBody, type ErrorStatus } from './errors.ts';
export {
  deliveryPayload,
  eventData,
  eventNames,
  eventPayloads,
  eventRetentionDays,
  specifiedEventNames,
  type DeliveryPayload,
  type EventName,
} from './webhooks/events.ts';
export type { CellFilter } from './data-sources/filters.ts';
export { columnTypes, maximumColumns, type CellValue, type ColumnType } from './data-sources/column-types.ts';
export { parseCell } from './data-sources/parse-cell.ts';
export { maximumBulkRows } from './data-sources/rows.ts';
export { fieldTypes, type Field, type FieldType, type FieldValue } from './templates/field-types.ts';
export { ruleOperators, type RuleOperator } from './templates/rule-types.ts';
export { variableTypes, type VariableType } from './templates/variables.ts';
export { type Block } from './portals/blocks.ts';
export { maximumAccessRules } from './portals/access-rules.ts';
export { maximumPresets } from './portals/report-presets.ts';
export { type Report } from './portals/reports.ts';
export { maximumPages } from './portals/pages.ts';
export { maximumPortals, pageSlug, portalAudiences, portalSlug } from './portals/portals.ts';
export { maximumPageSize, totalModes, type Page, type Total, type TotalMode } from './page.ts';
export { dueBuckets, taskReasons, type DueBucket, type TaskReason } from './runs/my-tasks.ts';
export { maximumComments } from './runs/comments.ts';
export { maximumFormEntries } from './runs/task-form.ts';
export { taskStatuses, type TaskStatus } from './runs/tasks.ts';
export { runStatuses, type RunStatus } from './runs/run.ts';
export { filterQuery, runSorts, type FilterSet, type RunSort } from './runs/filters.ts';
export { maximumViews, viewVisibilities } from './runs/saved-views.ts';
export { maximumValueFilters, valueOperators, type ValueFilter, type ValueOperator } from './runs/value-filters.ts';
export { resourceModes, scopes, type ResourceMode, type Scope } from './scopes.ts';
export {
  isBinary,
  isMultipart,
  isStream,
  type Binary,
  type ByteRange,
  type FileInput,
  type FilePart,
  type IncomingContent,
  type Multipart,
  type Stream,
  type StreamedFile,
  type UploadedFile,
} from './transfer.ts';
export { plans } from './organization/organization.ts';
export { passwordLinkPurposes } from './organization/password-links.ts';
export { userStatuses } from './organization/users.ts';
export {
  canHoldTasks,
  isAdministrator,
  mayCall,
  memberResourceModes,
  resourceModesOf,
  userRoles,
  type MemberResourceMode,
  type UserRole,
} from './roles.ts';
export { deliveryStatuses } from './webhooks/delivery.ts';
export { templateModes } from './webhooks/webhook.ts';
