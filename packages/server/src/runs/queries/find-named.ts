import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** Those of these templates by which runs can be listed. The runs of a deleted template stay. */
export async function findListableTemplates(
  em: Em,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; folderId: string | null }[]> {
  return em
    .getKysely()
    .selectFrom('templates as template')
    .where('template.organization_id', '=', organizationId)
    .where('template.id', '=', anyOf(ids))
    .where((eb) =>
      eb.or([
        eb('template.deleted_at', 'is', null),
        eb.exists(
          eb
            .selectFrom('runs as run')
            .select('run.id')
            .where('run.organization_id', '=', organizationId)
            .whereRef('run.template_id', '=', 'template.id'),
        ),
      ]),
    )
    .select(['template.id', 'template.folder_id as folderId'])
    .execute();
}

/** Those of these members that the organization has, deactivated ones too: they can own runs. */
export async function findMembers(em: Em, organizationId: string, ids: readonly string[]): Promise<{ id: string }[]> {
  return em
    .getKysely()
    .selectFrom('users as member')
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', anyOf(ids))
    .select('member.id')
    .execute();
}
