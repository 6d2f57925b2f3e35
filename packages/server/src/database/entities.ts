import { AuditHead } from '../audit-log/entities/audit-head.ts';
import { AuditLine } from '../audit-log/entities/audit-line.ts';
import { DataSourceColumn } from '../data-sources/entities/data-source-column.ts';
import { DataSourceLink } from '../data-sources/entities/data-source-link.ts';
import { DataSourceRowChange } from '../data-sources/entities/data-source-row-change.ts';
import { DataSourceRow } from '../data-sources/entities/data-source-row.ts';
import { DataSource } from '../data-sources/entities/data-source.ts';
import { RunFile } from '../files/entities/run-file.ts';
import { Mail } from '../notifications/entities/mail.ts';
import { NotificationCursor } from '../notifications/entities/notification-cursor.ts';
import { NotificationPreference } from '../notifications/entities/notification-preference.ts';
import { Notification } from '../notifications/entities/notification.ts';
import { ApiKey } from '../organization/entities/api-key.ts';
import { Folder } from '../organization/entities/folder.ts';
import { Grant } from '../organization/entities/grant.ts';
import { GroupMember } from '../organization/entities/group-member.ts';
import { Group } from '../organization/entities/group.ts';
import { IdempotencyKey } from '../organization/entities/idempotency-key.ts';
import { Identity } from '../organization/entities/identity.ts';
import { OrganizationMove } from '../organization/entities/organization-move.ts';
import { Organization } from '../organization/entities/organization.ts';
import { Passkey } from '../organization/entities/passkey.ts';
import { PasswordLink } from '../organization/entities/password-link.ts';
import { Session } from '../organization/entities/session.ts';
import { SpentToken } from '../organization/entities/spent-token.ts';
import { User } from '../organization/entities/user.ts';
import { PortalAccessRule } from '../portals/entities/portal-access-rule.ts';
import { PortalPage } from '../portals/entities/portal-page.ts';
import { Portal } from '../portals/entities/portal.ts';
import { ReportPreset } from '../portals/entities/report-preset.ts';
import { Activity } from '../runs/entities/activity.ts';
import { EntryCompletionKey } from '../runs/entities/entry-completion-key.ts';
import { Entry } from '../runs/entities/entry.ts';
import { FieldValue } from '../runs/entities/field-value.ts';
import { FormLink } from '../runs/entities/form-link.ts';
import { RunComment } from '../runs/entities/run-comment.ts';
import { RunCounterChange } from '../runs/entities/run-counter-change.ts';
import { RunCounter } from '../runs/entities/run-counter.ts';
import { RunTask } from '../runs/entities/run-task.ts';
import { Run } from '../runs/entities/run.ts';
import { SavedView } from '../runs/entities/saved-view.ts';
import { SearchableValue } from '../runs/entities/searchable-value.ts';
import { TaskApprover } from '../runs/entities/task-approver.ts';
import { RuleSync } from '../templates/entities/rule-sync.ts';
import { SearchableField } from '../templates/entities/searchable-field.ts';
import { TemplateAsset } from '../templates/entities/template-asset.ts';
import { TemplateShare } from '../templates/entities/template-share.ts';
import { TemplateVersion } from '../templates/entities/template-version.ts';
import { Template } from '../templates/entities/template.ts';
import { EventFeed } from '../webhooks/entities/event-feed.ts';
import { Event } from '../webhooks/entities/event.ts';
import { WebhookDelivery } from '../webhooks/entities/webhook-delivery.ts';
import { Webhook } from '../webhooks/entities/webhook.ts';

/** Every table of the service. A property is a column; one that is declared with `references` is also a foreign key. */
export const entities = [
  Organization,
  OrganizationMove,
  User,
  Group,
  FormLink,
  Grant,
  GroupMember,
  Folder,
  ApiKey,
  Session,
  PasswordLink,
  Identity,
  Passkey,
  SpentToken,
  IdempotencyKey,
  AuditHead,
  AuditLine,
  Template,
  TemplateVersion,
  RuleSync,
  SearchableField,
  TemplateAsset,
  TemplateShare,
  DataSource,
  DataSourceColumn,
  DataSourceRow,
  DataSourceRowChange,
  DataSourceLink,
  Run,
  RunCounter,
  RunCounterChange,
  RunTask,
  TaskApprover,
  Entry,
  FieldValue,
  EntryCompletionKey,
  SearchableValue,
  RunComment,
  Activity,
  RunFile,
  SavedView,
  Portal,
  PortalPage,
  PortalAccessRule,
  ReportPreset,
  Webhook,
  WebhookDelivery,
  Event,
  EventFeed,
  NotificationCursor,
  NotificationPreference,
  Notification,
  Mail,
] as const;

/** The entity of any table of the service. */
export type EntitySchemas = (typeof entities)[number];
