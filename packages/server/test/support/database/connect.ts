import { createDatabase } from '@runward/testing/database';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { withClient } from '../../../src/database/connection/with-client.ts';

/** A database of one test, and a connection to it. Both end with the test. */
export async function connectToNew(
  t: ExecutionContext,
  options?: Parameters<typeof createDatabase>[0],
): Promise<{ readonly url: string; readonly client: Client }> {
  const { url, drop } = await createDatabase(options);
  t.teardown(drop);
  return { url, client: await connectTo(t, url) };
}

/** A connection to a database, which ends with the test. */
export async function connectTo(t: ExecutionContext, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

/** Runs statements on a separate connection. */
export async function query(url: string, text: string): Promise<void> {
  await withClient(url, (client) => client.query(text));
}
