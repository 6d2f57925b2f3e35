import { cellsVariable } from '@runward/testing/database';
/**
 * Runs a command against a throw-away Citus cluster of a coordinator and two workers: `node
 * --conditions=@runward/source scripts/with-citus.ts BIN_FOLDER COMMAND ...`. BIN_FOLDER has the programs of a
 * PostgreSQL with the extension `citus`. Test files get a cell each, a schema on one of the workers.
 */
import { startCitus } from '@runward/testing/postgres/citus';
import { runBeside } from './beside.ts';

const [binaries = '', ...command] = process.argv.slice(2);

await runBeside(async () => {
  const cluster = await startCitus(binaries);
  return { env: { TEST_POSTGRES_URL: cluster.url, [cellsVariable]: 'true' }, stop: () => cluster.stop() };
}, command);
