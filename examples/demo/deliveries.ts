import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@runward/sdk';
import { knownEventNames } from '@runward/webhooks';
import type { Progress } from './progress.ts';
import type { Heard } from './receiver-process.ts';

const name = 'Demo receiver';
const longestWait = 30_000;

/** Registers the demo's webhook for all events of a template; one that an earlier demo left goes. Answers its id. */
export async function registerWebhook(runward: Client, url: string, templateId: string): Promise<string> {
  for await (const old of runward.webhooks.list()) if (old.name === name) await runward.webhooks.remove(old.id);
  const { id } = await runward.webhooks.create({
    name,
    url,
    enabledEvents: [...knownEventNames],
    templateMode: 'SELECTED_TEMPLATES',
    templateIds: [templateId],
  });
  return id;
}

/** Waits until the receiver has verified all that is sent to the webhook, or nothing has moved for half a minute. */
export async function awaitDeliveries(
  runward: Client,
  webhookId: string,
  heard: Heard,
  progress: Progress,
): Promise<void> {
  let fewest = Infinity;
  for (let deadline = Date.now() + longestWait; Date.now() < deadline; await pause(200)) {
    const { total: pending } = await runward.webhooks.webhookDeliveries(webhookId, { status: 'PENDING', limit: 1 });
    const { total } = await runward.webhooks.webhookDeliveries(webhookId, { limit: 1 });
    if (pending === 0 && heard.verified.size >= total) return;
    progress.show(`waiting for deliveries: ${heard.verified.size} of ${total} arrived`);
    if (pending < fewest) deadline = Date.now() + longestWait;
    fewest = Math.min(fewest, pending);
  }
}

/** What happened to the events of some runs. */
export interface Account {
  /** Events that happened, by the activity logs of the runs. */
  readonly happened: number;
  /** Events the service has sent to the webhook, or still has to. */
  readonly sent: number;
  /** Deliveries that arrived at the receiver, the repeated and the refused included. */
  readonly received: number;
  readonly verified: number;
  readonly duplicates: number;
  readonly refused: number;
  /** Events that happened, but were never verified by the receiver. */
  readonly lost: number;
}

/** Holds three records against each other: the activity logs, the service's deliveries, what the receiver verified. */
export async function takeAccount(
  runward: Client,
  webhookId: string,
  runIds: ReadonlySet<string>,
  heard: Heard,
): Promise<Account> {
  let happened = 0;
  for (const runId of runIds) {
    for await (const { type } of runward.runs.activity(runId)) if (isEvent(type)) happened += 1;
  }
  // Runs of an earlier demo may become overdue meanwhile: their events are not ours.
  const ids: string[] = [];
  for await (const { id, payload } of runward.webhooks.webhookDeliveries(webhookId)) {
    if (runIds.has(payload.data.runId)) ids.push(id);
  }
  const verified = ids.filter((id) => heard.verified.has(id)).length;
  const refused = heard.refused.length;
  return {
    happened,
    sent: ids.length,
    received: verified + heard.duplicates + refused,
    verified,
    duplicates: heard.duplicates,
    refused,
    lost: happened - verified,
  };
}

function isEvent(type: string): boolean {
  return knownEventNames.some((event) => event === type);
}
