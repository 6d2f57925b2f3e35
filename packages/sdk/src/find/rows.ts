import type { Client } from '../client-type.ts';
import type { LookupRow } from '../generated/data-sources.ts';
import { choose, matching } from './choose.ts';
import { isId } from './ids.ts';

/** A field whose value is a row of a data source. */
interface LookupField {
  readonly id: string;
  readonly label: string;
  readonly dataSource?: { readonly dataSourceId: string } | null;
}

const maximumShown = 20;

/** The most rows that are read, because many can have the text in another cell than their label. */
const maximumRead = 1_000;

/** Up to 20 rows that a field accepts, with a cell that contains the text. First those with this label. */
export async function searchRows(client: Client, { id, dataSource }: LookupField, text: string): Promise<LookupRow[]> {
  if (!dataSource) return [];
  const search = text.trim().slice(0, 200);
  const query = { templateFieldId: id, ...(search !== '' && { search }) };
  const limit = search === '' ? maximumShown : maximumRead;
  const rows = await client.dataSources.lookup(dataSource.dataSourceId, query).toArray({ limit });
  return [...new Set([...matching(rows, text, ({ label }) => [label]), ...rows])].slice(0, maximumShown);
}

/**
 * Finds the row that a text refers to as the value of a field, by id or label. Returns its id.
 *
 * @throws FindError if no row has the label or several do, or an error of the request
 */
export async function findRowId(client: Client, field: LookupField, text: string): Promise<string> {
  if (isId(text) || !field.dataSource) return text;
  return choose(await searchRows(client, field, text), text, {
    noun: 'row',
    of: ` of "${field.label}"`,
    relation: 'is named',
    idOf: ({ id }) => id,
    namesOf: ({ label }) => [label],
  }).id;
}
