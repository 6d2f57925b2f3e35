import type { RequestContext } from '../access/request-context.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import type { DataSource } from './entities/data-source.ts';
import type { Cells } from './parse-cells.ts';
import { rowsAfter } from './queries/find-rows.ts';
import { deleteRows, updateRows } from './queries/write-rows.ts';

/** The size of a batch, so that each statement ends within its time, and the rows fit into memory. */
const batch = { limit: 2_000, bytes: 5_000_000 };

/**
 * Rewrites the rows of a locked data source after a change of its columns. `rewrite` returns the cells of a row, or
 * null to leave the row unchanged. Rows do not count as updated.
 */
export async function rewriteRows(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId, id: dataSourceId }: Pick<DataSource, 'organizationId' | 'id'>,
  columns: readonly DataSourceColumn[],
  rewrite: (row: { id: string; cells: Cells }) => Cells | null,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const { rows: read, limit } = await rowsAfter(em, organizationId, dataSourceId, after, batch);
    const rows = read.slice(0, limit);
    const rewritten = rows.flatMap((row) => {
      const cells = rewrite(row);
      return cells ? [{ ...row, cells }] : [];
    });
    if (rewritten.length > 0) await updateRows(em, { organizationId, dataSourceId, columns }, rewritten);
    if (read.length <= limit) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Deletes all rows of a locked data source. */
export async function deleteAllRows(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId, id: dataSourceId }: Pick<DataSource, 'organizationId' | 'id'>,
): Promise<void> {
  for (;;) {
    const { rows, limit } = await rowsAfter(em, organizationId, dataSourceId, null, batch);
    await deleteRows(
      em,
      { organizationId, dataSourceId },
      rows.map(({ id }) => id),
    );
    if (rows.length <= limit) return;
  }
}
