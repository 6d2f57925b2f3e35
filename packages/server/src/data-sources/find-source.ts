import type { RequestContext } from '../access/request-context.ts';
import { found, notFound, unavailable } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { isLockTimeout } from '../database/errors.ts';
import { lockRow, setLockTimeout, type RowLock } from '../database/lock-row.ts';
import { DataSourceColumn } from './entities/data-source-column.ts';
import { DataSource } from './entities/data-source.ts';

/** A data source with its columns by position. */
export interface SourceWithColumns {
  readonly source: DataSource;
  readonly columns: readonly DataSourceColumn[];
}

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** A data source of the organization. Throws a 404. */
export async function findSource({ em, actor: { organizationId } }: Context, id: string): Promise<SourceWithColumns> {
  const source = found(await em.findOne(DataSource, { organizationId, id }), 'Data source');
  return { source, columns: await columnsOf(em, organizationId, id) };
}

/** The columns of a data source by position. */
async function columnsOf(em: Em, organizationId: string, dataSourceId: string): Promise<DataSourceColumn[]> {
  return em.find(DataSourceColumn, { organizationId, dataSourceId }, { orderBy: { position: 'asc' } });
}

/** How long a request waits while others write to the same data source. */
const lockTimeout = '14s';

/**
 * A data source with its rows and columns locked against changes until the transaction ends. The lock `update` also
 * prevents new references to it. Several data sources are locked in the order of their ids, and then the organization.
 * Throws a 404.
 */
export async function lockSource(
  context: Context,
  id: string,
  lock: RowLock = 'no key update',
): Promise<SourceWithColumns> {
  if (!(await tryLockSource(context, id, lock))) throw notFound('Data source');
  return findSource(context, id);
}

/** Locks a data source in the same way without reading it. Returns false if it does not exist. */
export async function tryLockSource(
  { em, actor: { organizationId } }: Context,
  id: string,
  lock: RowLock,
): Promise<boolean> {
  await setLockTimeout(em, lockTimeout);
  try {
    return await lockRow(em, DataSource, { organizationId, id }, lock);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw unavailable('Others are writing to the data source; retry in a moment.');
  }
}
