/** What the audit log records, and in which words. A new kind of administration adds its actions here. */
export const auditActions = {
  'organization.created': 'The organization was created.',
  'organization.updated': 'Settings of the organization were changed.',
  'organization.plan_changed': 'The plan was changed.',
  'organization.moved': 'The organization was moved to another cell of the service.',
  'signing_secret.rotated': 'The secret that signs webhooks was replaced.',
  'user.created': 'A member was added.',
  'user.updated': 'The name, role or status of a member was changed.',
  'user.password_set': 'A password was set, by the member or by somebody else. It ended other sessions of the member.',
  'user.password_link_created': 'A link with which a member sets a password was made, or a member asked for one.',
  'user.password_link_revoked': 'A link with which a member sets a password was revoked.',
  'user.tasks_handed_over': 'The open tasks of a member were assigned to somebody else.',
  'user.notifications_updated': 'An owner or admin changed which mails they get.',
  'session.started': 'A member signed in.',
  'session.ended': 'A member signed out, or ended another session of theirs.',
  'session.rejected':
    'Somebody tried to sign in as the member with a wrong password or passkey, or as a deactivated member.',
  'user.identity_linked':
    'An account of a provider was linked to the member, who signed in with it for the first time.',
  'user.identity_unlinked': 'The accounts of providers were unlinked from the member.',
  'user.passkey_added': 'A member added a passkey, with which they sign in.',
  'user.passkey_renamed': 'A member renamed a passkey of theirs.',
  'user.passkeys_removed': 'A member removed a passkey, or an owner or admin removed all passkeys of a member.',
  'grant.created': 'A member or a group was granted a template or a folder.',
  'grant.revoked': 'A grant of a member or a group was revoked.',
  'form_link.created': 'A link was made with which a person without an account fills in a form.',
  'form_link.revoked': 'A form link was revoked.',
  'group.created': 'A group was created.',
  'group.updated': 'The name or the members of a group were changed.',
  'group.deleted': 'A group was deleted.',
  'folder.created': 'A folder was created.',
  'folder.updated': 'A folder was renamed.',
  'folder.deleted': 'A folder was deleted.',
  'api_key.created': 'An API key was created.',
  'api_key.revoked': 'An API key was revoked.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'A webhook was changed.',
  'webhook.disabled': 'The service disabled a webhook, because its deliveries failed.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.delivery_resent': 'A delivery was sent again.',
  'webhook.deliveries_replayed': 'The failed deliveries of a period were sent again.',
  'share.created': 'A template was shared.',
  'share.updated': 'The name or the expiry of a share was changed.',
  'share.refreshed': 'A share got a new token.',
  'share.revoked': 'A share was revoked, or all shares of a template that was archived or deleted.',
  'portal.created': 'A portal was created.',
  'portal.updated': 'The name, slug, description or audience of a portal was changed.',
  'portal.deleted': 'A portal was deleted.',
  'portal.published': 'A portal was published, or the changes of one of its pages.',
  'portal.unpublished': 'A portal was unpublished.',
  'portal.access_granted': 'A member or a group was given access to a portal.',
  'portal.access_withdrawn': 'Access of a member or a group to a portal was withdrawn.',
  'mail.resent': 'A mail to a member was sent again.',
  'runs.exported': 'The list of runs was exported.',
  'audit_log.exported': 'The audit log was exported.',
} as const;

/** The name of an action in the audit log. */
export type AuditAction = keyof typeof auditActions;

/** The names of all actions in the audit log. */
export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

/** The kinds of records that an action in the audit log can concern. */
export const auditTargetTypes = [
  'ORGANIZATION',
  'USER',
  'SESSION',
  'FORM_LINK',
  'GROUP',
  'FOLDER',
  'API_KEY',
  'WEBHOOK',
  'TEMPLATE',
  'SHARE',
  'PORTAL',
  'MAIL',
] as const;

/**
 * Who can have caused a line of the audit log. ADMINISTRATION is whoever operates the service, ANONYMOUS is somebody
 * who did not sign in, SYSTEM is the service itself.
 */
export const auditActorTypes = ['USER', 'API_KEY', 'ADMINISTRATION', 'ANONYMOUS', 'SYSTEM'] as const;
