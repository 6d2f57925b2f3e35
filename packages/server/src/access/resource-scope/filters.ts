import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { anyOf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Actor } from '../actor.ts';

/** The ORM's condition for templates of the organization in the key's resource scope, without deleted ones. */
export function templatesInScope({ organizationId, resourceScope }: Actor) {
  const own = { organizationId, deletedAt: null };
  if (resourceScope.mode === 'SELECTED_TEMPLATES') return { ...own, id: { $in: [...resourceScope.templateIds] } };
  if (resourceScope.mode === 'SELECTED_FOLDERS') return { ...own, folderId: { $in: [...resourceScope.folderIds] } };
  return own;
}

/** Tables whose rows belong to a template, by the alias under which a query reads them. */
interface Scoped extends Tables {
  run: Tables['runs'];
  event: Tables['events'];
  task: Tables['run_tasks'];
}

/**
 * The condition of a Kysely query for runs (alias `run`), events (alias `event`) or tasks of runs (alias `task`) of the
 * organization in the key's resource scope.
 */
export function rowsInScope(
  alias: 'run' | 'event' | 'task',
  { organizationId, resourceScope }: Pick<Actor, 'organizationId' | 'resourceScope'>,
): Expression<SqlBool> {
  const eb = expressionBuilder<Scoped, 'run' | 'event' | 'task'>();
  const own = eb(`${alias}.organization_id`, '=', organizationId);
  if (resourceScope.mode === 'ALL') return own;
  if (resourceScope.mode === 'SELECTED_TEMPLATES') {
    return own.and(`${alias}.template_id`, '=', anyOf(resourceScope.templateIds));
  }
  const inFolders = eb
    .selectFrom('templates as template')
    .select('template.id')
    .where('template.organization_id', '=', organizationId)
    .where('template.folder_id', '=', anyOf(resourceScope.folderIds));
  return own.and(`${alias}.template_id`, 'in', inFolders);
}
