import { setTimeout as pause } from 'node:timers/promises';
import { createCellSchema, moveCell, nodeOf, nodes } from '@runward/server/internal/database/cells/citus';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { migrate } from '@runward/server/internal/database/migrate';
import { inSchema } from '@runward/server/internal/settings/database-schema';
import { startCitus } from '@runward/testing/postgres/citus';
import { durable } from '@runward/testing/postgres/server';

/** The cell of the service on a Citus cluster, for injecting faults. */
export interface CitusCell {
  /** Leads to the coordinator. */
  readonly databaseUrl: string;
  /** The servers by name. */
  readonly servers: Readonly<Record<string, CellServer>>;
  /** Moves the cell to the other worker. */
  move(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of the cluster. */
export interface CellServer {
  /** Ends it as a crash does, and starts it again. */
  crash(): Promise<void>;
}

const name = 'chaos';
/** A move fails while a server of the cluster is down, or recovers. */
const movingMs = 60_000;

/** Starts a cluster of a coordinator and two workers with the PostgreSQL in a folder, and creates the cell. */
export async function startCitusCell(binaries: string): Promise<CitusCell> {
  const { coordinator, workers, url, stop } = await startCitus(binaries, durable);
  const databaseUrl = inSchema(url, name);
  await withClient(url, (client) => createCellSchema(client, name));
  await migrate(databaseUrl);
  const moveOnce = () =>
    withClient(url, async (client) => {
      const from = await nodeOf(client, name);
      const to = (await nodes(client)).find((node) => node !== from);
      if (to === undefined) throw new Error(`${name} is on ${from}, and there is no other worker.`);
      await moveCell(client, name, to);
    });
  return {
    databaseUrl,
    servers: { coordinator, ...Object.fromEntries(workers.map((worker, index) => [`worker ${index + 1}`, worker])) },
    move: async () => {
      for (const deadline = Date.now() + movingMs; ; await pause(1_000)) {
        try {
          return await moveOnce();
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
      }
    },
    stop,
  };
}
