import type { FilterSet } from '@runward/contract';
import { findFolders } from '../../access/queries/find-folders.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { folderOutOfScope } from '../../access/resource-scope/folders.ts';
import { badRequest } from '../../api-error.ts';
import { User } from '../../organization/entities/user.ts';
import { findListableTemplates } from '../queries/find-listable-templates.ts';
import { checkValues } from './check-values.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** The kinds of records that the id lists of a filter set name. */
const lists = [
  { field: 'templateIds', kind: 'template', see: 'templates', find: listableTemplates },
  { field: 'folderIds', kind: 'folder', see: 'folders', find: folders },
  { field: 'ownerUserIds', kind: 'member', see: 'users', find: members },
  { field: 'assigneeIds', kind: 'member', see: 'users', find: members },
] as const;

/**
 * Throws a 400 that lists every problem of a filter set, with `path` before its properties: ids that do not exist in
 * the organization, and ranges that end before they begin. Throws a 403 if the filter set names a template or folder
 * outside the caller's resource scope.
 */
export async function ensureFilterSet(context: Context, filters: FilterSet, path = ''): Promise<void> {
  const { problems, ensureInScope } = await checkFilterSet(context, filters, path);
  if (problems.length > 0) throw badRequest(problems);
  ensureInScope();
}

/**
 * The problems of a filter set. `ensureInScope` throws a 403 if it names something outside the caller's resource scope.
 */
export interface CheckedFilterSet {
  readonly problems: string[];
  readonly ensureInScope: () => void;
}

/** Finds every problem of a filter set, with `path` before its properties; see {@link ensureFilterSet}. */
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
  if (filters.values !== undefined) {
    const values = await checkValues(context, filters.values, path);
    problems.push(...values.problems);
    checks.push(...values.checks);
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

/** By the id of each existing record, a function that checks the resource scope. */
type Known = ReadonlyMap<string, () => void>;

async function listableTemplates({ em, actor }: Context, ids: readonly string[]): Promise<Known> {
  const templates = await findListableTemplates(em, actor.organizationId, ids);
  return new Map(templates.map((template) => [template.id, () => ensureInScope(actor, template)]));
}

async function folders({ em, actor }: Context, ids: readonly string[]): Promise<Known> {
  const ensure = (isInScope: boolean) => () => {
    if (!isInScope) throw folderOutOfScope(actor);
  };
  return new Map((await findFolders(em, actor, ids)).map(({ id, isInScope }) => [id, ensure(isInScope)]));
}

/** Deactivated members are included, because they can own runs. */
async function members({ em, actor: { organizationId } }: Context, ids: readonly string[]): Promise<Known> {
  const users = await em.find(User, { organizationId, id: { $in: [...ids] } }, { fields: ['id'] });
  return new Map(users.map(({ id }) => [id, () => {}]));
}
