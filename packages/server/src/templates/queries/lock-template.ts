import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../../database/database.ts';

/**
 * What a lock on a template's row keeps out: `edits` lets launches pass, which would otherwise hold up edits of a busy template;
 * `launches` waits for those under way and has later ones wait; `deletion` keeps the template from being deleted, nothing more.
 */
export type TemplateLock = 'edits' | 'launches' | 'deletion';

const strengths: Record<TemplateLock, RawBuilder<unknown>> = {
  edits: sql`for no key update`,
  launches: sql`for update`,
  deletion: sql`for key share`,
};

/** Locks the row of a template until the transaction ends; answers whether the organization has such a template. */
export async function lockTemplateRow(
  em: Em,
  organizationId: string,
  id: string,
  lock: TemplateLock,
): Promise<boolean> {
  const { rows } = await sql`
    select id from templates where id = ${id} and organization_id = ${organizationId} and deleted_at is null
    ${strengths[lock]}
  `.execute(em.getKysely());
  return rows.length > 0;
}
