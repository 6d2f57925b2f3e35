import type { DeliveryRow, Evidence, Received, Violation } from '../evidence.ts';
import { heldUp } from './held-up.ts';

/**
 * Every event reached each webhook that wants it or is shown as failed after all its attempts; what is shown is what the receiver saw;
 * and a receiver got nothing else.
 */
export function checkDeliveries(evidence: Evidence): Violation[] {
  const { events, webhooks, deliveries, received, attempts, leasesAwaited } = evidence;
  const violations: Violation[] = [];
  const say = (rule: string, detail: string) => violations.push({ rule, detail });
  const isHeldUp = heldUp(deliveries.filter(({ status }) => status === 'PENDING'));
  const byWay = Map.groupBy(deliveries, ({ webhookId, id }) => `${webhookId}/${id}`);
  const requests = Map.groupBy(received, ({ path, id }) => `${path}/${id}`);

  for (const webhook of webhooks) {
    if (!webhook.enabled) say('webhook switched off', webhook.path);
    for (const event of events) {
      const name = `${event.event} ${event.id} to ${webhook.path}`;
      const rows = byWay.get(`${webhook.id}/${event.id}`) ?? [];
      const wanted = webhook.events.some((each) => each === event.event) ? 1 : 0;
      if (rows.length < wanted) say('lost delivery', `${name} has no delivery`);
      if (rows.length > wanted) say('delivery too many', `${name} has ${rows.length} deliveries`);
      const [delivery] = rows;
      if (!delivery || (!leasesAwaited && delivery.status === 'PENDING' && isHeldUp(delivery))) continue;
      const seen = requests.get(`${webhook.path}/${event.id}`) ?? [];
      for (const problem of problemsOf(delivery, seen, attempts)) say(problem.rule, `${name} ${problem.detail}`);
    }
  }

  const paths = new Map(webhooks.map(({ id, path }) => [id, path]));
  const known = new Set(deliveries.map(({ webhookId, id }) => `${paths.get(webhookId)}/${id}`));
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  for (const { id } of deliveries) if (!bodies.has(id)) say('made up', `delivery ${id} belongs to no event`);
  for (const { path, id, body, problem } of received) {
    const name = `request ${id} at ${path}`;
    if (!known.has(`${path}/${id}`)) say('made up', `${name} belongs to no delivery`);
    else if ((bodies.get(id) ?? body) !== body) say('body changed', `${name} has another body than its event`);
    if (problem !== null) say('signature', `${name}: ${problem}`);
  }
  return violations;
}

function problemsOf(delivery: DeliveryRow, seen: readonly Received[], most: number): Violation[] {
  const { status, attempts } = delivery;
  const problems: Violation[] = [];
  const arrived = seen.some((request) => isSuccess(request.status));
  if (status === 'PENDING') problems.push({ rule: 'lost delivery', detail: 'is still waiting' });
  if (status === 'SUCCEEDED' && !arrived)
    problems.push({ rule: 'lost delivery', detail: 'was never answered with a success' });
  if (status === 'FAILED' && attempts.length !== most) {
    problems.push({ rule: 'gave up too soon', detail: `failed after ${attempts.length} of ${most} attempts` });
  }
  for (const code of new Set(attempts)) {
    const recorded = attempts.filter((each) => each === code).length;
    const real = seen.filter((request) => request.status === code).length;
    if (code !== null && recorded > real) {
      problems.push({
        rule: 'attempt made up',
        detail: `shows ${recorded} answers ${code}, the receiver gave ${real}`,
      });
    }
  }
  return problems;
}

/** Whether a status says that the receiver has the event. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
