import type { ResourceMode } from '@runward/contract';
import { badRequest } from '../../api-error.ts';
import { Folder } from '../../organization/entities/folder.ts';
import { Template } from '../../templates/entities/template.ts';
import type { ResourceScope } from '../actor.ts';
import type { RequestContext } from '../request-context.ts';

/** The resource scope of a key, as stored. */
export interface Restriction {
  readonly resourceMode: ResourceMode;
  readonly scopedTemplateIds: readonly string[];
  readonly scopedFolderIds: readonly string[];
}

/** The resource scope of a key, as an actor has it. */
export function resourceScopeOf({ resourceMode, scopedTemplateIds, scopedFolderIds }: Restriction): ResourceScope {
  switch (resourceMode) {
    case 'ALL':
      return { mode: resourceMode };
    case 'SELECTED_TEMPLATES':
    case 'SELECTED_FOLDERS':
      return { mode: resourceMode, templateIds: scopedTemplateIds, folderIds: scopedFolderIds };
  }
}

const lists = [
  { field: 'scopedTemplateIds', mode: 'SELECTED_TEMPLATES', kind: 'template' },
  { field: 'scopedFolderIds', mode: 'SELECTED_FOLDERS', kind: 'folder' },
] as const;

/**
 * Throws a 400 that lists every problem: ids without their mode, a mode without ids, and ids that are not templates or
 * folders of the organization.
 */
export async function ensureRestriction(
  context: Pick<RequestContext, 'em' | 'actor'>,
  restriction: Restriction,
): Promise<void> {
  const problems: string[] = [];
  for (const { field, mode, kind } of lists) {
    const ids = restriction[field];
    if (restriction.resourceMode !== mode) {
      if (ids.length > 0) problems.push(`${field}: allowed only with resourceMode ${mode}; set it, or omit ${field}`);
      continue;
    }
    if (ids.length === 0) problems.push(`${field}: must name at least one ${kind} with resourceMode ${mode}`);
    const known = await knownIds(context, kind, ids);
    for (const [index, id] of ids.entries()) {
      if (!known.has(id)) problems.push(`${field}[${index}]: not a ${kind} of this organization; see GET /${kind}s`);
    }
  }
  if (problems.length > 0) throw badRequest(problems);
}

async function knownIds(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  kind: 'template' | 'folder',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = { organizationId, id: { $in: [...ids] } };
  const rows =
    kind === 'template'
      ? await em.find(Template, { ...own, deletedAt: null }, { fields: ['id'], disableIdentityMap: true })
      : await em.find(Folder, own, { fields: ['id'], disableIdentityMap: true });
  return new Set(rows.map(({ id }) => id));
}
