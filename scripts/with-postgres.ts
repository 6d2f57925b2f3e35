/**
 * Runs a command against a throw-away PostgreSQL: `node --conditions=@runward/source scripts/with-postgres.ts
 * BIN_FOLDER COMMAND ...`. Starts the PostgreSQL whose programs are in BIN_FOLDER, sets `TEST_POSTGRES_URL` for the
 * command, stops the server, and exits like the command.
 */
import { startPostgresServer } from '@runward/testing/postgres/server';
import { runBeside } from './beside.ts';

const [binaries = '', ...command] = process.argv.slice(2);

await runBeside(async () => {
  const server = await startPostgresServer({ binaries });
  return { env: { TEST_POSTGRES_URL: server.url() }, stop: () => server.stop() };
}, command);
