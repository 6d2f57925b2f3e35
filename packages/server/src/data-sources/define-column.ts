import type { Body, Contract } from '@runward/contract';
import { maximumColumns, type ColumnType } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import type { ColumnSettings, DataSourceColumn } from './entities/data-source-column.ts';
import { DataSource } from './entities/data-source.ts';

type Config = Body<Contract['dataSources.columns']['create']>['config'];

/** A column, as a caller sends it. */
export interface ColumnInput {
  readonly name: string;
  readonly type?: ColumnType | undefined;
  readonly config?: Config;
}

/** The configuration of a column, as stored. */
export type Configured = Pick<DataSourceColumn, 'settings' | 'targetDataSourceId'>;

/** The columns of a data source that a new one must differ from. */
export type Siblings = readonly Pick<DataSourceColumn, 'id' | 'name' | 'slot'>[];

/** A new column after its siblings, or all its problems, each with its path. */
export async function newColumn(
  context: RequestContext,
  source: Pick<DataSource, 'organizationId' | 'id'>,
  siblings: Siblings,
  { name, type = 'TEXT', config }: ColumnInput,
): Promise<
  | { readonly column: Omit<DataSourceColumn, 'dataSource' | 'targetDataSource'> }
  | { readonly problems: readonly string[] }
> {
  const configured = await configure(context, source.id, type, config);
  const problems = [...nameProblems(siblings, name), ...('problem' in configured ? [configured.problem] : [])];
  if (siblings.length >= maximumColumns) {
    problems.push(`name: the data source has ${maximumColumns} columns, which is the maximum; delete one first`);
  }
  if (problems.length > 0 || 'problem' in configured) return { problems };
  const used = new Set(siblings.map(({ slot }) => slot));
  let slot = 1;
  while (used.has(slot)) slot += 1;
  const { organizationId, id: dataSourceId } = source;
  const place = { organizationId, id: newId(), dataSourceId, slot, position: siblings.length };
  return { column: { ...place, name, type, ...configured } };
}

/** The problems of a column's name. `siblings` are the other columns of its data source. */
export function nameProblems(siblings: Siblings, name: string): string[] {
  const namesake = siblings.find((each) => caseFolded(each.name) === caseFolded(name));
  return namesake ? [`name: the data source has a column "${namesake.name}" already; choose another name`] : [];
}

/**
 * The configuration of a column of a type, or its problems. The target of a RELATION column cannot be deleted before
 * the transaction ends. `ownId` is the data source of the column, which the caller must have locked.
 */
export async function configure(
  { em, actor: { organizationId } }: RequestContext,
  ownId: string,
  type: ColumnType,
  config: Config,
): Promise<Configured | { readonly problem: string }> {
  if (type === 'STATUS') {
    return config && 'options' in config
      ? { settings: { options: config.options }, targetDataSourceId: null }
      : { problem: 'config: a STATUS column needs { "options": [{ "key", "label" }] }' };
  }
  if (type === 'RELATION') {
    if (!config || !('dataSourceId' in config)) {
      return { problem: 'config: a RELATION column needs { "dataSourceId", "multiple"? }' };
    }
    const { dataSourceId: id, multiple = false } = config;
    const exists = id === ownId || (await lockRow(em, DataSource, { organizationId, id }, 'key share'));
    return exists
      ? { settings: { multiple }, targetDataSourceId: id }
      : { problem: 'config.dataSourceId: not a data source of this organization; see GET /data-sources' };
  }
  const settings: ColumnSettings = {};
  return config
    ? { problem: `config: a ${type} column has no configuration; leave it out` }
    : { settings, targetDataSourceId: null };
}
