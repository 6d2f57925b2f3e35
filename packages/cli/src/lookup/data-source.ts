import type { Client, Column, DataSource } from '@runward/sdk';
import { choose, columnNaming, find } from '@runward/sdk/find';

/**
 * A data source by its ID or its name.
 *
 * @throws FindError if none has the name, or several have it
 */
export async function findDataSource(client: Client, idOrName: string): Promise<DataSource> {
  return find(client, 'dataSource', idOrName);
}

/**
 * A column of a data source by its name or ID.
 *
 * @throws FindError if there is none
 */
export function findColumn({ columns }: DataSource, idOrName: string): Column {
  return choose(columns, idOrName, columnNaming);
}
