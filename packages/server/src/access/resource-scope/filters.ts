import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { anyOf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Actor } from '../actor.ts';

/** The ORM's condition for templates of the organization in the caller's resource scope, without deleted ones. */
export function templatesInScope({ organizationId, resourceScope }: Actor) {
  const own = { organizationId, deletedAt: null };
  if (resourceScope.mode === 'ALL') return own;
  if (resourceScope.mode === 'ASSIGNED') return { ...own, id: { $in: [] } };
  const { templateIds, folderIds } = resourceScope;
  return { ...own, $or: [{ id: { $in: [...templateIds] } }, { folderId: { $in: [...folderIds] } }] };
}

/** Tables whose rows belong to a template, by the alias under which a query reads them. */
interface Scoped extends Tables {
  run: Tables['runs'];
  event: Tables['events'];
  task: Tables['run_tasks'];
}

/**
 * The condition of a Kysely query for runs (alias `run`), events (alias `event`) or tasks of runs (alias `task`) of the
 * organization in the caller's resource scope. Callers who only have the tasks that are theirs list no runs and no
 * events, and tasks by what makes them theirs.
 */
export function rowsInScope(
  alias: 'run' | 'event' | 'task',
  { organizationId, resourceScope }: Pick<Actor, 'organizationId' | 'resourceScope'>,
): Expression<SqlBool> {
  const eb = expressionBuilder<Scoped, 'run' | 'event' | 'task'>();
  const own = eb(`${alias}.organization_id`, '=', organizationId);
  if (resourceScope.mode === 'ALL') return own;
  if (resourceScope.mode === 'ASSIGNED') {
    if (alias !== 'task') return own.and(eb.lit(false));
    return resourceScope.runTaskId === null ? own : own.and('task.id', '=', resourceScope.runTaskId);
  }
  const { templateIds, folderIds } = resourceScope;
  if (folderIds.length === 0) return own.and(`${alias}.template_id`, '=', anyOf(templateIds));
  const listed = eb
    .selectFrom('templates as template')
    .select('template.id')
    .where('template.organization_id', '=', organizationId)
    .where((own) =>
      own.or([own('template.folder_id', '=', anyOf(folderIds)), own('template.id', '=', anyOf(templateIds))]),
    );
  return own.and(`${alias}.template_id`, 'in', listed);
}
