import type { AuditProperties, AuditTarget } from '../audit-log/record-change.ts';
import type { Portal } from './entities/portal.ts';

/** A portal, as the audit log names it. */
export function portalTarget({ id, name }: Pick<Portal, 'id' | 'name'>): AuditTarget {
  return { type: 'PORTAL', id, label: name };
}

/** The properties of a portal that the audit log compares. */
export function portalProperties({ name, slug, description, audience }: Portal): AuditProperties {
  return { name, slug, description: description ?? null, audience };
}
