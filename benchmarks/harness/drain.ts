import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '@runward/server/internal/database/connection/with-client';

const maxDrainMs = 120_000;

/** Waits until no delivery is pending. Returns the number pending at the start. Throws after two minutes. */
export async function drain(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    let first: number | undefined;
    for (const deadline = Date.now() + maxDrainMs; ; await pause(250)) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from webhook_deliveries where status = 'PENDING'`,
      );
      const count = rows[0]?.count ?? 0;
      first ??= count;
      if (count === 0) return first;
      if (Date.now() > deadline) throw new Error(`${count} deliveries are still pending after ${maxDrainMs / 1000} s.`);
    }
  });
}
