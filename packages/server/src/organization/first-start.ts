import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Passwords } from '../access/passwords.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { createOrganization } from './create-organization.ts';
import { hasOrganizations } from './queries/has-organizations.ts';

/**
 * Creates the first organization in an empty database and writes its credentials to `credentials.json` (mode 0600) in
 * the data folder. Returns the path of the file, or null if the database has organizations.
 */
export async function firstStart(
  database: Database,
  passwords: Passwords,
  { dataDir, timeZone, baseUrl }: { dataDir: string; timeZone: string; baseUrl: string },
): Promise<string | null> {
  return inTransaction(database, async (em) => {
    // Several processes may start on an empty database. The first one continues, and the others wait here for it.
    if (await hasOrganizations(em)) return null;

    const created = await createOrganization(em, passwords, {
      name: 'Demo',
      plan: 'ENTERPRISE',
      timeZone,
      ownerEmail: 'owner@demo.example',
    });
    const { organizationId, apiKey, ownerEmail, ownerPassword, signingSecret } = created;
    const credentials = { baseUrl, organizationId, apiKey, ownerEmail, ownerPassword, signingSecret };

    // Written before the commit. If the commit fails, the next start replaces the file. If the file were written after
    // the commit, a failure would lose the key.
    await mkdir(dataDir, { recursive: true });
    const path = join(dataDir, 'credentials.json');
    await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    // Cells may share the folder, and the key and the password of another cell may be nowhere else.
    if (existsSync(path)) await rename(path, `${path}.${Date.now()}`);
    await rename(`${path}.new`, path);
    return path;
  });
}
