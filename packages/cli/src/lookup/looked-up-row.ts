import type { Field } from '@runward/contract';
import type { Client, LookupRow } from '@runward/sdk';
import { notFound, usage } from '../errors.ts';
import { isId } from './ids.ts';

type LookupField = Pick<Field, 'id' | 'label' | 'dataSource'>;

const maximumShown = 20;

/** Up to 20 rows that a field can be given, by their labels: those with a cell that contains the text. */
export async function searchRows(client: Client, { id, dataSource }: LookupField, text: string): Promise<LookupRow[]> {
  if (!dataSource) return [];
  const search = text.trim().slice(0, 200);
  const query = { templateFieldId: id, limit: maximumShown, ...(search !== '' && { search }) };
  return (await client.dataSources.lookup(dataSource.dataSourceId, query)).data;
}

/**
 * The ID of the row that a field is given, by its ID or its label.
 *
 * @throws CliError if no row has the label, or several have it
 */
export async function findLookedUpRow(client: Client, field: LookupField, idOrLabel: string): Promise<string> {
  if (isId(idOrLabel) || !field.dataSource) return idOrLabel;
  const rows = await searchRows(client, field, idOrLabel);
  const [found, ...others] = rows.filter(({ label }) => isSame(label, idOrLabel));
  if (found && others.length === 0) return found.id;
  if (found) {
    throw usage(
      `"${field.label}": several rows are called "${idOrLabel}"; use an ID:`,
      ...[found, ...others].map(({ id }) => id),
    );
  }
  const hint =
    rows.length > 0
      ? `Did you mean ${rows
          .slice(0, 3)
          .map(({ label }) => `"${label}"`)
          .join(' or ')}?`
      : 'To list rows: runward data rows';
  throw notFound(`"${field.label}": no row is called "${idOrLabel}". ${hint}`);
}

/** Whether a label is what a person typed. */
export function isSame(label: string, typed: string): boolean {
  return label.trim().toLowerCase() === typed.trim().toLowerCase();
}
