import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createOrganization, type NewOrganization } from '@runward/server/internal/organization/create-organization';
import { cheapPasswords } from '@runward/testing/passwords';

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
