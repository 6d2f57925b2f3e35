import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { convertCell } from './convert-cell.ts';
import type { Configured } from './define-column.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import { DataSourceLink } from './entities/data-source-link.ts';
import type { SourceWithColumns } from './find-source.ts';
import { rowsWithSeveralLinks } from './queries/links.ts';
import { rewriteRows } from './rewrite-rows.ts';
import { textOfCell } from './row-label.ts';
import { rowSizeProblem } from './row-size.ts';

/** The kind of column to convert to: its type with the configuration. */
export type ColumnKind = Pick<DataSourceColumn, 'type'> & Configured;

const maximumNamed = 20;

/**
 * Converts the cells of a column of a locked data source to another kind of column. Throws a 400 that names the first
 * 20 cells that do not fit or make their row too large, or a 400 if the column has links that would not fit. `path`
 * leads to the part of the request that asks for it.
 */
export async function convertColumn(
  context: RequestContext,
  { source, columns }: SourceWithColumns,
  column: DataSourceColumn,
  kind: ColumnKind,
): Promise<void> {
  const before = { type: column.type, settings: column.settings, targetDataSourceId: column.targetDataSourceId };
  await ensureLinksFit(context, column, kind);
  if (before.type === 'RELATION') return;

  const path = before.type === kind.type ? 'config' : 'type';
  const after = columns.map((each) => (each.id === column.id ? { ...each, ...kind } : each));
  const misfits: string[] = [];
  await rewriteRows(context, source, after, ({ id, cells }) => {
    const value = cells[column.id];
    if (value === undefined || misfits.length === maximumNamed) return null;
    const converted = convertCell(before, kind, value);
    if (converted === null) {
      misfits.push(
        `${path}: the cell ${JSON.stringify(shortened(textOfCell(before, value)))} of the row ${id} does not fit`,
      );
      return null;
    }
    const next = { ...cells, [column.id]: converted };
    const problem = rowSizeProblem(context, `${path}: the row ${id}`, next, cells);
    if (problem === null) return next;
    misfits.push(problem);
    return null;
  });
  if (misfits.length > 0)
    throw badRequest('in_use', [...misfits, `${path}: change these cells first; at most 20 are named`]);
}

async function ensureLinksFit({ em }: RequestContext, column: DataSourceColumn, kind: ColumnKind): Promise<void> {
  if (column.type !== 'RELATION') return;
  const { organizationId, id: columnId } = column;
  const links = await em.count(DataSourceLink, { organizationId, columnId });
  if (links === 0) return;
  if (kind.type !== 'RELATION') {
    throw badRequest('in_use', [
      `type: the column has ${links} links, which no other type can hold; remove them first`,
    ]);
  }
  if (kind.targetDataSourceId !== column.targetDataSourceId) {
    throw badRequest('in_use', [
      `config.dataSourceId: the column has ${links} links to its present target; remove them first`,
    ]);
  }
  if (column.settings.multiple && !kind.settings.multiple) {
    const rows = await rowsWithSeveralLinks(em, organizationId, columnId, maximumNamed);
    if (rows.length > 0) {
      throw badRequest(
        'in_use',
        rows.map((id) => `config.multiple: the row ${id} has several links in the column; remove all but one first`),
      );
    }
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
