import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { Organization } from './entities/organization.ts';
import { inTransaction } from '../database/transaction.ts';
import { createOrganization } from './create-organization.ts';

/**
 * Gives an empty database its first organization and writes how to use it to `credentials.json` (mode 0600) in the data folder.
 * Answers the file's path, or null where there are organizations already.
 */
export async function firstStart(
  database: Database,
  { dataDir, timeZone, baseUrl }: { dataDir: string; timeZone: string; baseUrl: string },
): Promise<string | null> {
  return inTransaction(database, async (em) => {
    // Processes that start together on one empty database wait for each other here.
    await sql`lock table organizations in share row exclusive mode`.execute(em.getKysely());
    if ((await em.count(Organization)) > 0) return null;

    const made = await createOrganization(em, {
      name: 'Demo',
      plan: 'ENTERPRISE',
      timeZone,
      ownerEmail: 'owner@demo.example',
    });
    const { organizationId, apiKey, ownerEmail, ownerPassword, signingSecret } = made;
    const credentials = { baseUrl, organizationId, apiKey, ownerEmail, ownerPassword, signingSecret };

    // Before the commit: a file without an organization is written anew next time, the other way round the key would be lost.
    await mkdir(dataDir, { recursive: true });
    const path = join(dataDir, 'credentials.json');
    await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
    return path;
  });
}
