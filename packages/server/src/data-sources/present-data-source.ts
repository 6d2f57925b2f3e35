import type { Contract, Response } from '@runward/contract';
import type { ListedSource } from './queries/list-sources.ts';

type Presented = Response<Contract['dataSources']['get']>;

/** A data source with its columns. */
export function presentSource({ source, columns }: ListedSource): Presented {
  const { id, name, description, rowCount, createdAt, updatedAt } = source;
  return {
    id,
    name,
    description: description ?? null,
    columns: columns.map(presentColumn),
    rowCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** A column of a data source. */
export function presentColumn({
  id,
  name,
  type,
  position,
  settings,
  targetDataSourceId,
}: ListedSource['columns'][number]): Presented['columns'][number] {
  const { options, multiple = false } = settings;
  const config = options
    ? { options: options.map(({ key, label }) => ({ key, label })) }
    : targetDataSourceId
      ? { dataSourceId: targetDataSourceId, multiple }
      : null;
  return { id, name, type, position, config };
}
