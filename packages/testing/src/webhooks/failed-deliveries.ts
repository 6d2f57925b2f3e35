import { until } from '../until.ts';
import type { SharedApp } from '../use-shared-app.ts';

/**
 * Waits until the first attempts of so many deliveries of a webhook have failed, also of those that were sent again.
 * They have no other attempt, as if the schedule had only one.
 */
export async function haveFailed(
  { provision }: Pick<SharedApp, 'provision'>,
  webhookId: string,
  count: number,
): Promise<void> {
  const end = `update webhook_deliveries set status = 'FAILED', next_attempt_at = null
    where webhook_id = $1 and tries > 0 and status <> 'SUCCEEDED' returning id`;
  await until(async () => (await provision.query(end, [webhookId])).length === count, `${count} failures`);
}
