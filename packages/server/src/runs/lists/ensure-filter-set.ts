import type { FilterSet } from '@runward/contract';
import type { SqlBool } from 'kysely';
import { folderIsInScope, folderOutOfScope } from '../../access/resource-scope/folders.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { anyOf } from '../../database/expressions.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** What the lists of ids in a filter set name. */
const lists = [
  { field: 'templateIds', kind: 'template', see: 'templates', find: findTemplates },
  { field: 'folderIds', kind: 'folder', see: 'folders', find: findFolders },
  { field: 'ownerUserIds', kind: 'member', see: 'users', find: findMembers },
  { field: 'assigneeIds', kind: 'member', see: 'users', find: findMembers },
] as const;

/**
 * Throws a 400 that lists every problem of a filter set, with `path` in front of its properties: ids that name nothing in the organization,
 * ranges that end before they begin. Throws a 403 if it names a template or folder outside the caller's resource scope.
 */
export async function ensureFilterSet(context: Context, filters: FilterSet, path = ''): Promise<void> {
  const { problems, ensureInScope } = await checkFilterSet(context, filters, path);
  if (problems.length > 0) throw badRequest(problems);
  ensureInScope();
}

/** What is wrong with a filter set. `ensureInScope` throws a 403 if it names something outside the caller's resource scope. */
export interface CheckedFilterSet {
  readonly problems: string[];
  readonly ensureInScope: () => void;
}

/** Finds every problem of a filter set, with `path` in front of its properties; see {@link ensureFilterSet}. */
export async function checkFilterSet(context: Context, filters: FilterSet, path: string): Promise<CheckedFilterSet> {
  const problems: string[] = [];
  const checks: (() => void)[] = [];
  for (const { field, kind, see, find } of lists) {
    const ids = filters[field];
    if (ids === undefined) continue;
    const known = await find(context, ids);
    for (const [index, id] of ids.entries()) {
      const ensure = known.get(id);
      if (ensure) checks.push(ensure);
      else problems.push(`${path}${field}[${index}]: not a ${kind} of this organization; see GET /${see}`);
    }
  }
  for (const range of ['scheduled', 'created'] as const) {
    const { [`${range}From` as const]: from, [`${range}To` as const]: to } = filters;
    if (from !== undefined && to !== undefined && to < from)
      problems.push(`${path}${range}To: must not be before ${range}From`);
  }
  const ensureInScope = () => {
    for (const ensure of checks) ensure();
  };
  return { problems, ensureInScope };
}

/** What checks the resource scope, by the id of what exists. */
type Known = ReadonlyMap<string, () => void>;

/** The runs of a deleted template stay, so they can be listed by it. */
async function findTemplates({ em, actor }: Context, ids: readonly string[]): Promise<Known> {
  const rows = await em
    .getKysely()
    .selectFrom('templates as template')
    .where('template.organization_id', '=', actor.organizationId)
    .where('template.id', '=', anyOf(ids))
    .where((eb) =>
      eb.or([
        eb('template.deleted_at', 'is', null),
        eb.exists(
          eb
            .selectFrom('runs as run')
            .select('run.id')
            .where('run.organization_id', '=', actor.organizationId)
            .whereRef('run.template_id', '=', 'template.id'),
        ),
      ]),
    )
    .select(['template.id', 'template.folder_id as folderId'])
    .execute();
  return new Map(rows.map((template) => [template.id, () => ensureInScope(actor, template)]));
}

async function findFolders({ em, actor }: Context, ids: readonly string[]): Promise<Known> {
  const rows = await em
    .getKysely()
    .selectFrom('folders as folder')
    .where('folder.organization_id', '=', actor.organizationId)
    .where('folder.id', '=', anyOf(ids))
    .select((eb) => ['folder.id', eb.and([folderIsInScope(actor)]).as('isInScope')])
    .execute();
  const ensure = (isInScope: SqlBool) => () => {
    if (!isInScope) throw folderOutOfScope(actor);
  };
  return new Map(rows.map(({ id, isInScope }) => [id, ensure(isInScope)]));
}

/** Deactivated members too: they can own runs. */
async function findMembers({ em, actor }: Context, ids: readonly string[]): Promise<Known> {
  const rows = await em
    .getKysely()
    .selectFrom('users as member')
    .where('member.organization_id', '=', actor.organizationId)
    .where('member.id', '=', anyOf(ids))
    .select('member.id')
    .execute();
  return new Map(rows.map(({ id }) => [id, () => {}]));
}
