import type { AuditProperties, AuditTarget } from '../../audit-log/record-change.ts';
import type { TemplateShare } from '../entities/template-share.ts';
import { maskedShareToken } from './share-token.ts';

/** A share, as the audit log names it. */
export function shareTarget({ id, name }: Pick<TemplateShare, 'id' | 'name'>): AuditTarget {
  return { type: 'SHARE', id, label: name ?? null };
}

/** The properties of a share that the audit log compares, with the end of its token. */
export function shareProperties({ templateId, name, tokenSuffix, expiresAt }: TemplateShare): AuditProperties {
  const tokenPrefix = maskedShareToken(tokenSuffix);
  return { templateId, name: name ?? null, tokenPrefix, expiresAt: expiresAt?.toISOString() ?? null };
}
