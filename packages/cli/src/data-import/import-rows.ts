import { maximumBulkRows } from '@runward/contract';
import { isValidationError, type Client } from '@runward/sdk';
import { rejected } from '../errors.ts';
import type { Column, DataSource } from '../lookup/data-source.ts';
import type { ImportRow } from './prepare-rows.ts';

/** A request may have 10 MB; characters outside ASCII have several bytes. */
const maximumCharacters = 3_000_000;

/** The rows whose keys the data source does not have yet. */
export async function withoutKnown(
  client: Client,
  { id, rowCount }: DataSource,
  rows: readonly ImportRow[],
  keyColumn: Column | null,
): Promise<ImportRow[]> {
  if (!keyColumn || rowCount === 0) return [...rows];
  const known = new Set<string>();
  for await (const { cells } of client.dataSources.rows.list(id)) {
    const value = cells[keyColumn.id];
    if (value !== undefined) known.add(comparable(String(value)));
  }
  return rows.filter(({ key }) => key === null || !known.has(comparable(key)));
}

/**
 * Creates rows, thousands in a request; each request creates all of its rows or none.
 *
 * @throws CliError naming the lines whose cells the server rejects
 */
export async function importRows(
  client: Client,
  { id, columns }: DataSource,
  rows: readonly ImportRow[],
  { onCreated, stop }: { onCreated: (count: number) => void; stop: AbortSignal },
): Promise<void> {
  for (const batch of batchesOf(rows)) {
    if (stop.aborted) return;
    try {
      await client.dataSources.rows.bulkCreate(id, { rows: batch.map(({ cells }) => ({ cells })) });
    } catch (error) {
      throw isValidationError(error) ? rejectedRows(error, batch, columns) : error;
    }
    onCreated(batch.length);
  }
}

function* batchesOf(rows: readonly ImportRow[]): Generator<ImportRow[]> {
  let batch: ImportRow[] = [];
  let size = 0;
  for (const row of rows) {
    const length = JSON.stringify(row.cells).length;
    if (batch.length === maximumBulkRows || (batch.length > 0 && size + length > maximumCharacters)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(row);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

/** The messages of the server with lines and names instead of positions and ids. */
function rejectedRows(
  error: { readonly message: string; readonly messages?: unknown },
  batch: readonly ImportRow[],
  columns: readonly Column[],
) {
  const messages = Array.isArray(error.messages) ? error.messages.map(String) : [error.message];
  const named = messages.map((message) =>
    message.replace(/^rows\[(\d+)\]\.cells\.([\w-]+)/, (_, index: string, columnId: string) => {
      const name = columns.find(({ id }) => id === columnId)?.name ?? columnId;
      return `line ${batch[Number(index)]?.line}: ${name}`;
    }),
  );
  return rejected('Rows were rejected; none of their request was imported. Correct them and import again:', ...named);
}

function comparable(key: string): string {
  return key.normalize('NFC');
}
