import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** The templates with these ids by which runs can be listed. Deleted ones are included, because their runs are kept. */
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
