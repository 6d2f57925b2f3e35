import type { Client, Column, DataSource } from '@runward/sdk';
import { notFound } from '../errors.ts';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/**
 * A data source by its ID or its exact name.
 *
 * @throws CliError if none has the name, or several have it
 */
export async function findDataSource({ dataSources }: Client, idOrName: string): Promise<DataSource> {
  if (isId(idOrName)) return dataSources.get(idOrName);
  const all = await Array.fromAsync(dataSources.list());
  const detail = ({ rowCount }: DataSource) => `${rowCount} rows`;
  return byName(all, idOrName, { kind: 'data source', list: 'runward data list', detail });
}

/**
 * A column of a data source by its name, without regard to case.
 *
 * @throws CliError if there is none
 */
export function findColumn({ columns }: DataSource, name: string): Column {
  const found = columns.find((column) => column.name.toLowerCase() === name.trim().toLowerCase());
  if (found) return found;
  throw notFound(`There is no column "${name}". The columns are: ${columns.map((column) => column.name).join(', ')}.`);
}
