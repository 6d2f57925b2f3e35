import type { Client } from '../client-type.ts';
import type { Column, DataSource } from '../generated/data-sources.ts';
import { choose, matching } from './choose.ts';
import { isId } from './ids.ts';
import { kinds, type Kind, type Records } from './kinds.ts';

/**
 * Finds the record that a text refers to: by its id or its name. Case only matters between names that differ in nothing
 * else. `parent` is the id of the record that contains it, such as the template of a task.
 *
 * @throws FindError if no record fits or several do, or an error of the request
 */
export async function find<Name extends keyof Records>(
  client: Client,
  name: Name,
  text: string,
  parent = '',
): Promise<Records[Name]> {
  const kind: Kind<Records[Name]> = kinds[name];
  if (kind.get && isId(text.trim())) return kind.get(client, text.trim().toLowerCase());
  const searched = (text.trim() !== '' && (await kind.search?.(client, text.trim()))) || [];
  const isFound = matching(searched, text, kind.namesOf).length > 0;
  return choose(isFound ? searched : await kind.list(client, parent), text, kind);
}

/** Like {@link find}, but returns the id. An id is returned without a request. */
export async function findId(client: Client, name: keyof Records, text: string, parent = ''): Promise<string> {
  return isId(text.trim()) ? text.trim().toLowerCase() : (await find(client, name, text, parent)).id;
}

/**
 * Finds the column of a data source that a text refers to: by its id or its name.
 *
 * @throws FindError if no column fits
 */
export function findColumn({ columns }: Pick<DataSource, 'columns'>, text: string): Column {
  return choose(columns, text, kinds.column);
}
