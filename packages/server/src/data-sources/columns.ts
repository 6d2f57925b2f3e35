import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { convertColumn } from './change-column.ts';
import { configure, nameProblems, newColumn } from './define-column.ts';
import { DataSourceColumn } from './entities/data-source-column.ts';
import type { DataSource } from './entities/data-source.ts';
import { lockSource } from './find-source.ts';
import { presentColumn } from './present-data-source.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { ensureColumnUnused, ensureTypeFits } from './uses.ts';

/** Columns of a data source (spec: Data sources). */
export const dataSourceColumns: Handlers<Parts['dataSourceColumns']> = {
  create: async ({ params: { id }, body, ...context }) => {
    const { source, columns } = await lockSource(context, id);
    const made = await newColumn(context, source, columns, body);
    if ('problems' in made) throw badRequest([...made.problems]);
    changed(source, context);
    return presentColumn(context.em.create(DataSourceColumn, made.column));
  },

  update: async ({ params: { id, columnId }, body, ...context }) => {
    const locked = await lockSource(context, id);
    const column = columnIn(locked.columns, columnId);
    const { name = column.name, type = column.type, config } = body;
    const siblings = locked.columns.filter((each) => each !== column);
    const isSameKind = type === column.type && config == null;
    const configured = isSameKind
      ? { settings: column.settings, targetDataSourceId: column.targetDataSourceId }
      : await configure(context, id, type, config);
    const problems = [...nameProblems(siblings, name), ...('problem' in configured ? [configured.problem] : [])];
    if (problems.length > 0 || 'problem' in configured) throw badRequest(problems);

    if (type !== column.type) await ensureTypeFits(context, column, type);
    if (!isSameKind) await convertColumn(context, locked, column, { type, ...configured });
    Object.assign(column, { name, type, ...configured });
    changed(locked.source, context);
    return presentColumn(column);
  },

  delete: async ({ params: { id, columnId }, ...context }) => {
    const { source, columns } = await lockSource(context, id);
    const column = columnIn(columns, columnId);
    await ensureColumnUnused(context, column);
    const rest = columns.filter((each) => each !== column);
    await rewriteRows(context, source, rest, ({ cells: { [columnId]: removed, ...cells } }) =>
      removed === undefined ? null : cells,
    );
    const { organizationId } = source;
    await context.em.nativeDelete(DataSourceColumn, { organizationId, id: columnId });
    for (const [position, each] of rest.entries()) each.position = position;
    changed(source, context);
  },

  reorder: async ({ params: { id }, body: { columnIds }, ...context }) => {
    const { source, columns } = await lockSource(context, id);
    const byId = new Map(columns.map((column) => [column.id, column]));
    const problems = [
      ...columnIds.flatMap((columnId, index) =>
        byId.has(columnId) ? [] : [`columnIds[${index}]: no column of this data source; see GET /data-sources/:id`],
      ),
      ...columns
        .filter((column) => !columnIds.includes(column.id))
        .map((column) => `columnIds: the column "${column.name}" (${column.id}) is missing; name every column once`),
    ];
    if (problems.length > 0) throw badRequest(problems);
    const ordered = columnIds.flatMap((columnId) => byId.get(columnId) ?? []);
    for (const [position, column] of ordered.entries()) column.position = position;
    changed(source, context);
    return { data: ordered.map(presentColumn) };
  },
};

function changed(source: DataSource, { now }: RequestContext): void {
  source.updatedAt = now;
  source.revision += 1;
}

function columnIn(columns: readonly DataSourceColumn[], id: string): DataSourceColumn {
  return found(
    columns.find((column) => column.id === id),
    'Column',
  );
}
