import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, RequestOptions } from '@runward/sdk';
import { createRandom, type Random } from '@runward/testing/random';
import type { RowOperation } from '../history/row-history.ts';
import { isFinal, type Caller } from './client.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/** The data source that the row writers write to. */
export interface RowSource {
  readonly id: string;
  readonly batchColumnId: string;
  readonly versionColumnId: string;
}

/** Row writers at work. */
export interface RowWriters extends Stoppable {
  readonly source: RowSource;
  readonly operations: readonly RowOperation[];
}

/**
 * Starts two clients that create, update and delete batches of `size` rows of one data source by bulk requests. Each
 * batch has a single writer, which therefore knows what each response promises.
 */
export async function startRowWriters(caller: Caller, seed: number, size: number): Promise<RowWriters> {
  const source = await newSource(caller);
  const operations: RowOperation[] = [];

  const write = async <Result>(
    operation: Pick<RowOperation, 'batch' | 'kind' | 'version'>,
    send: (api: Client, options: RequestOptions) => Promise<Result>,
  ): Promise<Result> => {
    const idempotencyKey = randomUUID();
    const record = (status: number | null, message?: string) =>
      operations.push({ ...operation, size, status, ...(message !== undefined && { message }) });
    try {
      const result = await caller.read((api) => send(api, { idempotencyKey }));
      record(200);
      return result;
    } catch (error) {
      record(isFinal(error) ? error.statusCode : null, String(error));
      throw error;
    }
  };

  const work = async (name: string, signal: AbortSignal) => {
    const random = createRandom(seed, name);
    while (!signal.aborted) await writeBatch(source, { write, size, random }, signal).catch(() => pause(500));
  };
  return {
    source,
    operations,
    ...untilStopped((signal) => Promise.all([work('row writer 1', signal), work('row writer 2', signal)])),
  };
}

type Write = <Result>(
  operation: Pick<RowOperation, 'batch' | 'kind' | 'version'>,
  send: (api: Client, options: RequestOptions) => Promise<Result>,
) => Promise<Result>;

/** Creates a batch, updates it a few times, and deletes most batches. */
async function writeBatch(
  { id, batchColumnId, versionColumnId }: RowSource,
  { write, size, random }: { readonly write: Write; readonly size: number; readonly random: Random },
  signal: AbortSignal,
): Promise<void> {
  const batch = randomUUID();
  const rest = () => pause(random.between(50, 300));
  const rows = Array.from({ length: size }, () => ({ cells: { [batchColumnId]: batch, [versionColumnId]: 0 } }));
  const { rowIds } = await write({ batch, kind: 'create', version: 0 }, (api, options) =>
    api.dataSources.rows.bulkCreate(id, { rows }, options),
  );
  const updates = random.between(1, 4);
  for (let version = 1; version < updates && !signal.aborted; version += 1) {
    await rest();
    const changes = { rowIds, cells: { [versionColumnId]: version }, active: version % 2 === 0 };
    await write({ batch, kind: 'update', version }, (api, options) =>
      api.dataSources.rows.bulkUpdate(id, changes, options),
    );
  }
  await rest();
  if (random.next() < 0.7 && !signal.aborted) {
    await write({ batch, kind: 'delete', version: 0 }, (api, options) =>
      api.dataSources.rows.bulkDelete(id, { rowIds }, options),
    );
  }
}

async function newSource(caller: Caller): Promise<RowSource> {
  const columns = ['Batch', { name: 'Version', type: 'NUMBER' as const }];
  const idempotencyKey = randomUUID();
  const source = await caller.read((api) => api.dataSources.create({ name: 'Chaos', columns }, { idempotencyKey }));
  const [batch, version] = source.columns;
  if (!batch || !version) throw new Error('The data source has no columns.');
  return { id: source.id, batchColumnId: batch.id, versionColumnId: version.id };
}
