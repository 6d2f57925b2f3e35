import { createDatabase } from '@runward/testing/database';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';

/** A database of one test, and a connection to it. Both end with the test. */
export async function connectToNew(t: ExecutionContext): Promise<{ readonly url: string; readonly client: Client }> {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const client = new Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return { url, client };
}

/** Runs statements on a separate connection. */
export async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
