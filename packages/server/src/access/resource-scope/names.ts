import type { ApiError } from '../../api-error.ts';
import { Template } from '../../templates/entities/template.ts';
import type { Actor } from '../actor.ts';
import { findFolders } from '../queries/find-folders.ts';
import type { RequestContext } from '../request-context.ts';
import { templatesInScope } from './filters.ts';
import { outOfScope } from './out-of-scope.ts';

/** The templates and folders that a record names, such as the filter set of a view. */
export interface Names {
  readonly templateIds?: readonly string[] | undefined;
  readonly folderIds?: readonly string[] | undefined;
}

/** The 403 for a record that names something outside the key's resource scope. `kind` names the record, like "view". */
export function namesOutOfScope(actor: Actor, kind: string): ApiError {
  return outOfScope(actor, `grant access to every template and folder that this ${kind} names`, 'use a key that does');
}

/** What a message lists: the names that the caller may see, and the number of the others. */
export function listedNames(names: readonly string[], others: number): string {
  return [...names, ...(others > 0 ? [`${others} outside the resource scope`] : [])].join(', ');
}

/** The records that name only templates and folders in the key's resource scope. */
export async function namingInScope<Each>(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  records: readonly Each[],
  namesOf: (record: Each) => readonly Names[],
): Promise<Each[]> {
  if (actor.resourceScope.mode === 'ALL') return [...records];
  const names = records.flatMap(namesOf);
  // A deleted template stays in the resource scope, like its runs.
  const { deletedAt: _, ...inScope } = templatesInScope(actor);
  const named = { $and: [inScope, { id: { $in: names.flatMap(({ templateIds = [] }) => templateIds) } }] };
  const templates = await em.find(Template, named, { fields: ['id'], disableIdentityMap: true });
  const folders = await findFolders(
    em,
    actor,
    names.flatMap(({ folderIds = [] }) => folderIds),
  );
  const granted = new Set([...templates, ...folders.filter(({ isInScope }) => isInScope)].map(({ id }) => id));
  return records.filter((record) =>
    namesOf(record).every(({ templateIds = [], folderIds = [] }) =>
      [...templateIds, ...folderIds].every((id) => granted.has(id)),
    ),
  );
}
