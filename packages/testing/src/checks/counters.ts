import type { Database } from '@runward/server/internal/database/database';
import { Organization } from '@runward/server/internal/organization/entities/organization';
import { checkCounters } from '@runward/server/internal/runs/queries/check-counters';

/** Throws if a run counter of these organizations, or of any organization, is wrong. */
export async function ensureCounters(database: Database, organizationIds?: readonly string[]): Promise<void> {
  const em = database.em.fork();
  const ids = organizationIds ?? (await em.find(Organization, {}, { fields: ['id'] })).map(({ id }) => id);
  const differences = [];
  for (const id of ids) differences.push(...(await checkCounters(em, id)));
  if (differences.length > 0) throw new Error(`Counters differ from their runs: ${JSON.stringify(differences)}`);
}
