import type { AuditProperties, AuditTarget } from '../audit-log/record-change.ts';
import { maskedApiKey } from './api-key-token.ts';
import type { ApiKey } from './entities/api-key.ts';
import type { Grant } from './entities/grant.ts';
import type { Organization } from './entities/organization.ts';
import type { User } from './entities/user.ts';

/** An organization, as the audit log names it. */
export function organizationTarget({ id, name }: Pick<Organization, 'id' | 'name'>): AuditTarget {
  return { type: 'ORGANIZATION', id, label: name };
}

/** The settings of an organization that the audit log compares. */
export function organizationProperties({ name, timeZone, remindBefore, plan }: Organization): AuditProperties {
  return { name, timezone: timeZone, remindBefore, plan };
}

/** A member, as the audit log names them: by the email address, because names change and repeat. */
export function userTarget({ id, email }: Pick<User, 'id' | 'email'>): AuditTarget {
  return { type: 'USER', id, label: email };
}

/** The properties of a member that the audit log compares. */
export function userProperties({
  email,
  name,
  role,
  resourceMode,
  status,
}: Pick<User, 'email' | 'name' | 'role' | 'resourceMode' | 'status'>): AuditProperties {
  return { email, name, role, resourceMode, status };
}

/** Who gets a grant, as the audit log names them: a member by the email address, a group by its name. */
export function grantTarget({ userId, groupId }: Pick<Grant, 'userId' | 'groupId'>, label: string | null): AuditTarget {
  return { type: userId ? 'USER' : 'GROUP', id: userId ?? groupId ?? '', label };
}

/** A session, as the audit log names it. */
export function sessionTarget(id: string): AuditTarget {
  return { type: 'SESSION', id, label: null };
}

/** An API key, as the audit log names it. */
export function apiKeyTarget({ id, name }: Pick<ApiKey, 'id' | 'name'>): AuditTarget {
  return { type: 'API_KEY', id, label: name };
}

/** The properties of a new API key. */
export function apiKeyProperties(row: ApiKey): AuditProperties {
  const { name, keySuffix, scopes, resourceMode, scopedTemplateIds, scopedFolderIds, createdByUserId } = row;
  const expiresAt = row.expiresAt?.toISOString() ?? null;
  const keyPrefix = maskedApiKey(keySuffix);
  return { name, keyPrefix, scopes, resourceMode, scopedTemplateIds, scopedFolderIds, createdByUserId, expiresAt };
}
