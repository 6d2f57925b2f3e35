import { setTimeout as pause } from 'node:timers/promises';
import { specifiedEventNames } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { Progress } from './progress.ts';
import type { ReceiverReport } from './receiver-process.ts';

const name = 'Demo receiver';
const maxWaitMs = 30_000;

/**
 * Registers the demo's webhook for the events of a template that have the names of lines of the activity, and removes
 * the webhook of an earlier demo. Returns its id.
 */
export async function registerWebhook(runward: Client, url: string, templateId: string): Promise<string> {
  for await (const old of runward.webhooks.list()) if (old.name === name) await runward.webhooks.delete(old.id);
  const { id } = await runward.webhooks.create({
    name,
    url,
    enabledEvents: [...specifiedEventNames],
    templateMode: 'SELECTED_TEMPLATES',
    templateIds: [templateId],
  });
  return id;
}

/**
 * Waits until the receiver has verified every delivery of the webhook, or the number of pending deliveries has not
 * dropped for 30 s.
 */
export async function awaitDeliveries(
  runward: Client,
  webhookId: string,
  report: ReceiverReport,
  progress: Progress,
): Promise<void> {
  let fewest = Infinity;
  for (let deadline = Date.now() + maxWaitMs; Date.now() < deadline; await pause(200)) {
    const { total: pending } = await runward.webhooks.webhookDeliveries(webhookId, { status: 'PENDING', limit: 1 });
    const { total } = await runward.webhooks.webhookDeliveries(webhookId, { limit: 1 });
    if (pending === 0 && report.verified.size >= total) return;
    progress.update(`waiting for deliveries: ${report.verified.size} of ${total} arrived`);
    if (pending < fewest) deadline = Date.now() + maxWaitMs;
    fewest = Math.min(fewest, pending);
  }
}

/** What happened to the events of some runs. */
export interface Reconciliation {
  /** Events in the activity logs of the runs. */
  readonly happened: number;
  /** Events for which the service has a delivery to the webhook. */
  readonly sent: number;
  /** Deliveries that reached the receiver, including duplicates and rejected ones. */
  readonly received: number;
  readonly verified: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Events in the activity logs that the receiver did not verify. */
  readonly lost: number;
}

/**
 * Compares three records: the activity logs, the deliveries of the service, and the deliveries that the receiver
 * verified.
 */
export async function reconcile(
  runward: Client,
  webhookId: string,
  runIds: ReadonlySet<string>,
  report: ReceiverReport,
): Promise<Reconciliation> {
  let happened = 0;
  for (const runId of runIds) {
    for await (const { type } of runward.runs.activity(runId)) if (isEvent(type)) happened += 1;
  }
  // Runs of an earlier demo may become overdue meanwhile. Their events are not counted.
  const ids: string[] = [];
  for await (const { deliveryId, payload } of runward.webhooks.webhookDeliveries(webhookId)) {
    if (runIds.has(payload.data.runId)) ids.push(deliveryId);
  }
  const verified = ids.filter((id) => report.verified.has(id)).length;
  const rejected = report.rejected.length;
  return {
    happened,
    sent: ids.length,
    received: verified + report.duplicates + rejected,
    verified,
    duplicates: report.duplicates,
    rejected,
    lost: happened - verified,
  };
}

function isEvent(type: string): boolean {
  return specifiedEventNames.some((event) => event === type);
}
