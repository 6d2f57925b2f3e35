import { nodeOf } from '@runward/server/internal/database/cells/citus';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { inSchema } from '@runward/server/internal/settings/database-schema';
import { startCitus, type CitusCluster } from '@runward/testing/postgres/citus';
import { findPgbouncer, startPgbouncer } from '@runward/testing/postgres/pgbouncer';
import { durable, startPostgresServer } from '@runward/testing/postgres/server';
import type { Part } from '../harness/part.ts';
import { openPlace, startPlace } from './place.ts';
import { compareTwo, compareWays } from './scenarios.ts';

/**
 * Compares ways to the database with a PostgreSQL of the same version that the service is connected to: through
 * PgBouncer, through the coordinator of a Citus cluster, and at the worker that has the cell. Then two cells on two
 * workers, with a process each, with one. `binaries` is the folder of a PostgreSQL with `citus`.
 */
export const cells = (binaries: string): Part => ({
  name: 'cells',
  needs: 'nothing',
  measure: async (bench) => {
    const server = await startPostgresServer({ binaries, settings: durable });
    bench.stack.defer(() => server.stop());
    const cluster = await startCitus(binaries, durable);
    bench.stack.defer(() => cluster.stop());
    const direct = await openPlace(bench, 'direct', server.url('direct'));
    const comparisons = [];

    const program = findPgbouncer();
    if (program === null) bench.log('pgbouncer is not installed, and is left out.');
    else {
      const pooler = await startPgbouncer(program, server.port);
      bench.stack.defer(() => pooler.stop());
      const pooled = pooler.serviceUrl('direct');
      const place = await startPlace(bench, `PgBouncer ${program.version}`, pooled, direct.seeded);
      comparisons.push(...(await compareWays(bench, place, direct)));
    }
    const first = await openPlace(bench, 'coordinator', inSchema(cluster.url, 'cell1'));
    comparisons.push(...(await compareWays(bench, first, direct)));
    const atWorker = await startPlace(bench, 'worker', await workerOf(cluster, 'cell1'), first.seeded);
    comparisons.push(...(await compareWays(bench, atWorker, direct)));

    const second = await openPlace(bench, 'second cell', inSchema(cluster.url, 'cell2'));
    const other = await startPlace(bench, 'second worker', await workerOf(cluster, 'cell2'), second.seeded);
    comparisons.push(await compareTwo(bench, atWorker, other));
    return { comparisons };
  },
});

/** The URL of a cell at the worker that has it. */
async function workerOf({ url, workers }: CitusCluster, schema: string): Promise<string> {
  const node = await withClient(url, (client) => nodeOf(client, schema));
  const worker = workers.find(({ port }) => node?.endsWith(`:${port}`));
  if (worker === undefined) throw new Error(`${schema} is on ${node}, which is no worker.`);
  return inSchema(worker.url('runward'), schema);
}
