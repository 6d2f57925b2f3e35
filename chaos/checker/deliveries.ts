import type { DeliveryRow, History, Received, Violation, WebhookRow } from '../history/history.ts';

/**
 * Checks deliveries. Every event reached each subscribed webhook, or failed after all its attempts. The recorded
 * attempts match the log of the receiver. Receivers got nothing else, and those of ordered webhooks in order.
 */
export function checkDeliveries(history: History): Violation[] {
  const { events, webhooks, deliveries, received, attempts } = history;
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const byWebhook = Map.groupBy(deliveries, ({ webhookId, id }) => `${webhookId}/${id}`);
  const requests = Map.groupBy(received, ({ path, id }) => `${path}/${id}`);

  for (const webhook of webhooks) {
    if (!webhook.enabled) report('webhook disabled', webhook.path);
    for (const event of events) {
      const name = `${event.event} ${event.id} to ${webhook.path}`;
      const rows = byWebhook.get(`${webhook.id}/${event.id}`) ?? [];
      const expected = webhook.events.some((each) => each === event.event) ? 1 : 0;
      if (rows.length < expected) report('lost delivery', `${name} has no delivery`);
      if (rows.length > expected) report('unexpected delivery', `${name} has ${rows.length} deliveries`);
      const [delivery] = rows;
      if (!delivery) continue;
      const arrived = requests.get(`${webhook.path}/${event.id}`) ?? [];
      for (const problem of problemsOf(delivery, arrived, attempts)) report(problem.rule, `${name} ${problem.detail}`);
    }
  }

  const paths = new Map(webhooks.map(({ id, path }) => [id, path]));
  const known = new Set(deliveries.map(({ webhookId, id }) => `${paths.get(webhookId)}/${id}`));
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  for (const { id } of deliveries) if (!bodies.has(id)) report('phantom', `delivery ${id} belongs to no event`);
  for (const { path, id, body, problem } of received) {
    const name = `request ${id} at ${path}`;
    if (!known.has(`${path}/${id}`)) report('phantom', `${name} belongs to no delivery`);
    else if ((bodies.get(id) ?? body) !== body) report('body changed', `${name} has another body than its event`);
    if (problem !== null) report('invalid signature', `${name}: ${problem}`);
  }
  return [
    ...violations,
    ...webhooks.filter(({ ordered }) => ordered).flatMap((webhook) => outOfOrder(webhook, history)),
  ];
}

function problemsOf(delivery: DeliveryRow, arrived: readonly Received[], maxAttempts: number): Violation[] {
  const { status, attempts } = delivery;
  const problems: Violation[] = [];
  const hasArrived = arrived.some((request) => isSuccess(request.status));
  if (status === 'PENDING') problems.push({ rule: 'lost delivery', detail: 'is still pending' });
  if (status === 'SUCCEEDED' && !hasArrived)
    problems.push({ rule: 'lost delivery', detail: 'never got a successful response' });
  if (status === 'FAILED' && attempts.length !== maxAttempts) {
    problems.push({ rule: 'failed too early', detail: `failed after ${attempts.length} of ${maxAttempts} attempts` });
  }
  for (const code of new Set(attempts)) {
    const recorded = attempts.filter((each) => each === code).length;
    const logged = arrived.filter((request) => request.status === code).length;
    if (code !== null && recorded > logged) {
      problems.push({
        rule: 'phantom attempt',
        detail: `has ${recorded} recorded responses ${code}, but the receiver sent ${logged}`,
      });
    }
  }
  return problems;
}

/** Where an ordered webhook got an event for the first time after a later one of the feed. */
function outOfOrder({ path }: WebhookRow, { events, received }: History): Violation[] {
  const positions = new Map(events.map(({ id, position }) => [id, position ?? Infinity]));
  const requests = received.filter((request) => request.path === path && positions.has(request.id));
  const inOrder = requests.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
  const places = [...new Set(inOrder.map(({ id }) => id))].map((id) => ({ id, position: positions.get(id) ?? 0 }));
  return places.flatMap(({ id, position }, index) => {
    const before = places[index - 1];
    if (!before || before.position < position) return [];
    const detail = `${path} got ${id} at position ${position} after ${before.id} at position ${before.position}`;
    return [{ rule: 'out of order', detail }];
  });
}

/** Whether a status says that the receiver has accepted the event. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
