import type { RequestContext } from '../access/request-context.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import type { DataSource } from './entities/data-source.ts';
import type { Cells } from './parse-cells.ts';
import { rowsAfter } from './queries/find-rows.ts';
import { deleteRows, updateRows } from './queries/write-rows.ts';

/** Rows per statement, so that each ends within the time that a statement may take. */
const batchSize = 2_000;

/**
 * Rewrites the rows of a locked data source for its columns after a change. `rewrite` returns the cells of a row, or null to leave the row as it
 * is. Rows do not count as updated.
 */
export async function rewriteRows(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId, id: dataSourceId }: Pick<DataSource, 'organizationId' | 'id'>,
  columns: readonly DataSourceColumn[],
  rewrite: (row: { id: string; cells: Cells }) => Cells | null,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows = await rowsAfter(em, organizationId, dataSourceId, after, batchSize);
    const rewritten = rows.flatMap((row) => {
      const cells = rewrite(row);
      return cells ? [{ ...row, cells }] : [];
    });
    if (rewritten.length > 0) await updateRows(em, { organizationId, dataSourceId, columns }, rewritten);
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batchSize) return;
  }
}

/** Deletes all rows of a locked data source. */
export async function deleteAllRows(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId, id: dataSourceId }: Pick<DataSource, 'organizationId' | 'id'>,
): Promise<void> {
  for (;;) {
    const rows = await rowsAfter(em, organizationId, dataSourceId, null, batchSize);
    await deleteRows(
      em,
      { organizationId, dataSourceId },
      rows.map(({ id }) => id),
    );
    if (rows.length < batchSize) return;
  }
}
