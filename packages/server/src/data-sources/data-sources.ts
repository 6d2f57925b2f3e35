import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { newColumn } from './define-column.ts';
import { DataSourceColumn } from './entities/data-source-column.ts';
import { DataSource } from './entities/data-source.ts';
import { findLookup } from './find-lookup.ts';
import { findSource, lockSource } from './find-source.ts';
import { lookUpRows } from './look-up-rows.ts';
import { presentSource } from './present-data-source.ts';
import { columnsLinkingTo } from './queries/columns-linking-to.ts';
import { listSources } from './queries/list-sources.ts';
import { deleteAllRows } from './rewrite-rows.ts';
import { ensureSourceUnused } from './uses.ts';

/** Data sources (spec: Data sources). */
export const dataSources: Handlers<Parts['dataSources']> = {
  list: async ({ em, actor: { organizationId }, ports, query }) => {
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'id')[0];
    const size = { limit: query.limit, bytes: ports.limits.pageBytes };
    const read = await listSources(em, organizationId, { ...size, before });
    return pageOf(read, presentSource, ({ source }) => [source.id]);
  },

  create: async ({ body: { name, description = null, columns: inputs }, ...context }) => {
    const { em, actor, now } = context;
    const counts = { rowCount: 0, activeRowCount: 0, revision: 0 };
    const times = { createdAt: now, updatedAt: now };
    const { organizationId } = actor;
    const source = em.create(DataSource, { organizationId, id: newId(), name, description, ...counts, ...times });
    await em.flush();

    const columns: DataSourceColumn[] = [];
    const problems: string[] = [];
    for (const [index, input] of inputs.entries()) {
      const made = await newColumn(context, source, columns, typeof input === 'string' ? { name: input } : input);
      if ('column' in made) columns.push(em.create(DataSourceColumn, made.column));
      else problems.push(...made.problems.map((problem) => pathIn(index, input, problem)));
    }
    if (problems.length > 0) throw badRequest(problems);
    return presentSource({ source, columns });
  },

  get: async ({ params: { id }, ...context }) => presentSource(await findSource(context, id)),

  update: async ({ params: { id }, body: { name, description }, ...context }) => {
    const locked = await lockSource(context, id);
    if (name !== undefined) locked.source.name = name;
    if (description !== undefined) locked.source.description = description;
    locked.source.updatedAt = context.now;
    return presentSource(locked);
  },

  delete: async ({ params: { id }, ...context }) => {
    const { source } = await lockSource(context, id, 'update');
    await ensureUnrelated(context, source);
    await ensureSourceUnused(context, id);
    await deleteAllRows(context, source);
    await context.em.nativeDelete(DataSource, { organizationId: source.organizationId, id });
  },

  lookup: async ({ params: { id }, query: { templateFieldId, ...query }, ...context }) => {
    await findSource(context, id);
    return lookUpRows(context, await findLookup(context, id, templateFieldId), query);
  },
};

/** The path of a problem of a column. The column was sent as its name or as an object. */
function pathIn(index: number, input: unknown, problem: string): string {
  const path = `columns[${index}]`;
  return typeof input === 'string' ? `${path}${problem.replace(/^name/, '')}` : `${path}.${problem}`;
}

/** Throws a 400 if a RELATION column of another data source links to this one. */
async function ensureUnrelated({ em }: RequestContext, source: DataSource): Promise<void> {
  const columns = await columnsLinkingTo(em, source);
  if (columns.length === 0) return;
  const names = columns.map(({ name, source }) => `"${name}" of "${source}"`);
  throw badRequest(
    'in_use',
    `The data source cannot be deleted while columns of other data sources link to it: ${names.join(', ')}; delete these columns first.`,
  );
}
