import { withClient } from '@runward/server/internal/database/connection/with-client';
import type { SeededBench } from '../harness/part.ts';

/** Disables the webhooks of the seeded database until the part ends, so that events get no deliveries. */
export async function disableWebhooks({ databaseUrl, stack }: Pick<SeededBench, 'databaseUrl' | 'stack'>) {
  const enable = (enabled: boolean) =>
    withClient(databaseUrl, (client) => client.query('update webhooks set enabled = $1', [enabled]));
  await enable(false);
  stack.defer(async () => void (await enable(true)));
}
