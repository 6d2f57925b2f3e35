import { hash, randomUUID } from 'node:crypto';
import { isNotFound, isValidationError, type Client, type Column, type DataSource } from '@runward/sdk';
import { rejectedLines } from '../errors.ts';
import { maximumBulkRows } from '../generated/values.ts';
import { groupsOf } from '../groups.ts';
import type { ImportRow } from './prepare-rows.ts';

/** A request may have 10 MB, and characters outside ASCII take several bytes. */
const mostInRequest = {
  items: maximumBulkRows,
  size: 3_000_000,
  sizeOf: ({ cells }: ImportRow) => JSON.stringify(cells).length,
};

/** The previous attempt may still be in progress, because writing thousands of rows takes time. */
const retries = { timeoutMs: 90_000, maxRetries: 8 };

/** Rows that are created by one request. */
interface Batch {
  readonly rows: readonly ImportRow[];
  /** The same if the same import is repeated; random without a key column. */
  readonly idempotencyKey: string;
}

/**
 * Creates rows, thousands per request. Each request creates all of its rows or none. With `isKeyed`, an import can be
 * repeated after a lost response without creating the rows of that request again.
 *
 * @throws CliError naming the lines whose cells the server rejects
 */
export async function importRows(
  client: Client,
  source: DataSource,
  rows: readonly ImportRow[],
  { isKeyed, onCreated, stop }: { isKeyed: boolean; onCreated: (count: number) => void; stop: AbortSignal },
): Promise<void> {
  for (const batch of groupsOf(rows, mostInRequest)) {
    if (stop.aborted) return;
    const idempotencyKey = isKeyed ? digestOf(source, batch) : randomUUID();
    try {
      await createBatch(client, source, { rows: batch, idempotencyKey }, isKeyed);
    } catch (error) {
      throw isValidationError(error) ? rejectedRows(error, batch, source.columns) : error;
    }
    onCreated(batch.length);
  }
}

async function createBatch(
  { dataSources }: Client,
  { id }: DataSource,
  { rows, idempotencyKey }: Batch,
  isKeyed: boolean,
): Promise<void> {
  const body = { rows: rows.map(contentOf) };
  const { rowIds } = await dataSources.rows.bulkCreate(id, body, { idempotencyKey, ...retries });
  const [first] = rowIds;
  if (!isKeyed || first === undefined) return;
  try {
    await dataSources.rows.get(id, first);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // An earlier import created these rows, and they were deleted since.
    await dataSources.rows.bulkCreate(id, body, { idempotencyKey: randomUUID(), ...retries });
  }
}

function digestOf({ id }: DataSource, rows: readonly ImportRow[]): string {
  return hash('sha256', JSON.stringify([id, rows.map(contentOf)]));
}

function contentOf({ cells, active }: ImportRow) {
  return { cells, ...(active !== undefined && { active }) };
}

/** Replaces positions and ids in the server's messages by lines and names. */
function rejectedRows(
  error: { readonly message: string; readonly messages?: unknown },
  batch: readonly ImportRow[],
  columns: readonly Column[],
) {
  const messages = Array.isArray(error.messages) ? error.messages.map(String) : [error.message];
  const named = messages.map((message) =>
    message.replace(/^rows\[(\d+)\]\.cells(?:\.([\w-]+))?/, (_, index: string, columnId?: string) => {
      const line = `line ${batch[Number(index)]?.line}`;
      return columnId === undefined ? line : `${line}: ${columns.find(({ id }) => id === columnId)?.name ?? columnId}`;
    }),
  );
  return rejectedLines('Rows were rejected; none of their request was imported. Correct them and import again:', named);
}
