import type { Client, Delivery } from '@runward/sdk';
import type { Cli } from '../../cli.ts';
import { exitCodes, type ExitCode } from '../../errors.ts';
import { delivery as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { shownTime } from '../../output/readable.ts';

const pollMs = 250;

/**
 * Waits for the next attempt of a delivery and prints its result. `sent` is the delivery before that attempt. `wait` is
 * the maximum wait in seconds. Returns the exit code, which is 0 if the receiver accepted the delivery.
 */
export async function reportAttempt(cli: Cli, client: Client, sent: Delivery, wait: number): Promise<ExitCode> {
  const delivery = await nextAttempt(cli, client, sent, wait);
  await printRecord(cli.output, delivery, layout);
  const { attempts, status, webhookId, nextAttemptAt } = delivery;
  const last = attempts.length > sent.attempts.length ? attempts.at(-1) : undefined;
  if (!last) {
    cli.info(`Not attempted yet. Check again with: runward webhooks deliveries --webhook ${webhookId}`);
    return exitCodes.failure;
  }
  if (status === 'SUCCEEDED') {
    cli.info(`Delivered: ${last.statusCode} in ${last.durationMs} ms.`);
    return exitCodes.ok;
  }
  const next = nextAttemptAt === null ? '' : ` The next attempt is at ${shownTime(cli.output, nextAttemptAt)}.`;
  const why = last.error ?? `the receiver responded with ${last.statusCode}`;
  cli.info(`Not delivered: ${why.replace(/\.$/, '')}.${next}`);
  return exitCodes.failure;
}

/** Waits for the next attempt of a delivery; see {@link reportAttempt}. */
export async function nextAttempt(
  { pause }: Cli,
  { webhooks }: Client,
  sent: Delivery,
  wait: number,
): Promise<Delivery> {
  const deadline = Date.now() + wait * 1000;
  let delivery = sent;
  while (delivery.attempts.length === sent.attempts.length && delivery.status === 'PENDING' && Date.now() < deadline) {
    await pause(pollMs);
    delivery = await webhooks.delivery(sent.webhookId, sent.id);
  }
  return delivery;
}
