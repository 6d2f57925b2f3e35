import { Client, type ClientConfig } from 'pg';

/** Runs `work` on a connection, and ends it. Without settings, it has no limits of time. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
  settings: ClientConfig = {},
): Promise<Result> {
  const client = new Client({ ...settings, connectionString: url, keepAlive: true });
  // The query that is in progress reports a lost connection.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
