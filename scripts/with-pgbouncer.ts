/**
 * Runs a command against a throw-away PostgreSQL that tests reach through PgBouncer in transaction mode, with the
 * settings in `deploy/pgbouncer.ini`: `node --conditions=@runward/source scripts/with-pgbouncer.ts BIN_FOLDER COMMAND
 * ...`. BIN_FOLDER has the programs of PostgreSQL.
 */
import { poolerVariable } from '@runward/testing/database';
import { findPgbouncer, startPgbouncer } from '@runward/testing/postgres/pgbouncer';
import { startPostgresServer } from '@runward/testing/postgres/server';
import { runBeside } from './beside.ts';

const [binaries = '', ...command] = process.argv.slice(2);

await runBeside(async () => {
  const program = findPgbouncer();
  if (program === null) throw new Error('Install pgbouncer: it is neither in PATH nor in /usr/sbin.');
  const server = await startPostgresServer({ binaries });
  // Some tests insert many rows in one statement, which can take a busy machine longer than the service may wait.
  const withLongerTimeout = (settings: string) =>
    settings.replace("statement_timeout = ''10s''", "statement_timeout = ''60s''");
  const pooler = await startPgbouncer(program, server.port, withLongerTimeout);
  const stop = async () => {
    await pooler.stop();
    await server.stop();
  };
  return { env: { TEST_POSTGRES_URL: server.url(), [poolerVariable]: pooler.serviceUrl('postgres') }, stop };
}, command);
