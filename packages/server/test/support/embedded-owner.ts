/**
 * A process that owns an embedded PostgreSQL: `embedded-owner.ts DATA_DIR`. It prints a line of JSON, `{ url, pid }`,
 * when the server is ready. At the first SIGINT it waits, asks the server a question, prints the answer, stops the
 * server and ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/postgres.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Name the data folder: embedded-owner.ts DATA_DIR');

const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: (line) => console.error(line) });
const url = postgres.url('postgres');
console.log(JSON.stringify({ url, pid: postgres.pid }));

process.once('SIGINT', () => void answerAndStop());

async function answerAndStop() {
  await sleep(500);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ answer: string }>(`select 'still here' as answer`);
  await client.end();
  await postgres.stop();
  console.log(JSON.stringify(rows[0]));
}
