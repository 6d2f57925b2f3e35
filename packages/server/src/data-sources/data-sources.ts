import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { newColumn } from './define-column.ts';
import { DataSourceColumn } from './entities/data-source-column.ts';
import { DataSource } from './entities/data-source.ts';
import { findLookup } from './find-lookup.ts';
import { findSource, lockSource } from './find-source.ts';
import { presentSource } from './present-data-source.ts';
import { columnsLinkingTo } from './queries/columns-linking-to.ts';
import { matches } from './queries/filter-conditions.ts';
import { pageOfRows, type PlacedRow } from './queries/list-rows.ts';
import { listSources } from './queries/list-sources.ts';
import { deleteAllRows } from './rewrite-rows.ts';
import { textOfCell } from './row-label.ts';
import { totalOf } from './total-of.ts';
import { ensureSourceUnused } from './uses.ts';

/** Data sources (spec: Data sources). */
export const dataSources: Handlers<Parts['dataSources']> = {
  list: async ({ em, actor: { organizationId }, ports, query }) => {
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'id')[0];
    const size = { limit: query.limit, bytes: ports.limits.pageBytes };
    const { rows, limit, total } = await listSources(em, organizationId, { ...size, before });
    return pageOf(rows, limit, total, presentSource, ({ source }) => [source.id]);
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

  remove: async ({ params: { id }, ...context }) => {
    const { source } = await lockSource(context, id, 'update');
    await ensureUnrelated(context, source);
    await ensureSourceUnused(context, id);
    await deleteAllRows(context, source);
    await context.em.nativeDelete(DataSource, { organizationId: source.organizationId, id });
  },

  lookup: async ({ params: { id }, query: { limit, cursor, templateFieldId, search = '' }, ...context }) => {
    const { source, columns } = await findSource(context, id);
    const { labelColumnId } = await findLookup(context, id, templateFieldId);
    const column = found(
      columns.find((each) => each.id === labelColumnId),
      'Column',
    );
    const [key, last] = cursor === undefined ? [] : decodeCursor(cursor, 'text', 'id');
    const after = key === undefined || last === undefined ? null : { key, id: last };
    const { organizationId, activeRowCount: count, revision } = source;
    const conditions = search === '' ? [] : [matches(id, search)];
    const selection = { organizationId, dataSourceId: id, activeOnly: true, count, conditions };
    const total = await totalOf(context.em, selection, { revision, search, filters: [] });
    const order = { slot: column.slot, descending: false };
    const size = { limit, bytes: context.ports.limits.pageBytes };
    const page = await pageOfRows(context.em, selection, order, { ...size, after, total });
    const present = (row: PlacedRow) => {
      return { id: row.id, label: textOfCell(column, row.cells[labelColumnId]), cells: { ...row.cells } };
    };
    return pageOf(page.rows, page.limit, total, present, (row) => [row.key, row.id]);
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
    `The data source cannot be deleted while columns of other data sources link to it: ${names.join(', ')}; delete these columns first.`,
  );
}
