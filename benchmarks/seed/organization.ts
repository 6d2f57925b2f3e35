import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createOrganization, type NewOrganization } from '@runward/server/internal/organization/create-organization';
import { cheapPasswords } from '@runward/testing/passwords';
import { Client } from 'pg';

/** Creates a database with an organization in it. */
export async function createWithOrganization(databaseUrl: string): Promise<NewOrganization> {
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const database = await openDatabase(databaseUrl);
  try {
    const organization = {
      name: 'Benchmark',
      plan: 'ENTERPRISE',
      timeZone: 'UTC',
      ownerEmail: 'owner@bench.example',
    } as const;
    return await inTransaction(database, (em) => createOrganization(em, cheapPasswords, organization));
  } finally {
    await database.close();
  }
}

/** Runs work with a connection to a database, and closes the connection. */
export async function withClient<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
