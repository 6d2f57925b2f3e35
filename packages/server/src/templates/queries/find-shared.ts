import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import { ensureServed } from '../../organization/moves/ensure-served.ts';
import type { TemplateShare } from '../entities/template-share.ts';

/** A share whose token is usable now, and the version that it shares. */
export interface Shared extends Pick<TemplateShare, 'organizationId' | 'id' | 'templateId'> {
  readonly templateVersionId: string;
}

/**
 * The share of any organization with this SHA-256 of its token. Null if it is revoked or expired by the database's
 * clock, or if its template is archived, deleted or was never published. Throws a 421 or 503 if another cell serves the
 * organization.
 */
export async function findShared(em: Em, tokenHash: Buffer): Promise<Shared | null> {
  const shared = await em
    .getKysely()
    .selectFrom('template_shares as share')
    .innerJoin('templates as template', (join) =>
      join
        .onRef('template.organization_id', '=', 'share.organization_id')
        .onRef('template.id', '=', 'share.template_id')
        .on('template.archived_at', 'is', null)
        .on('template.deleted_at', 'is', null),
    )
    .where('share.token_hash', '=', tokenHash)
    .where('share.revoked_at', 'is', null)
    .where((eb) => eb('share.expires_at', 'is', null).or('share.expires_at', '>', databaseNow))
    .where('template.published_version_id', 'is not', null)
    .select([
      'share.organization_id as organizationId',
      'share.id',
      'share.template_id as templateId',
      'template.published_version_id as templateVersionId',
    ])
    .$narrowType<{ templateVersionId: string }>()
    .executeTakeFirst();
  if (shared) await ensureServed(em, shared.organizationId);
  return shared ?? null;
}

/** Counts an import. Returns false if the share has another token by now, was revoked, or has expired. */
export async function countImport(
  em: Em,
  { organizationId, id }: Pick<Shared, 'organizationId' | 'id'>,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await em
    .getKysely()
    .updateTable('template_shares')
    .set((eb) => ({ import_count: eb('import_count', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where((eb) => eb('expires_at', 'is', null).or('expires_at', '>', databaseNow))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
