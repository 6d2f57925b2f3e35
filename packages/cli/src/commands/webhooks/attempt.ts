import { setTimeout as pause } from 'node:timers/promises';
import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { exitCodes, type ExitCode } from '../../errors.ts';
import { delivery as layout } from '../../output/layouts.ts';
import { printRecord, type Output } from '../../output/print.ts';
import { note } from '../../terminal/notes.ts';

/** A delivery as the service answers it. */
export type Delivery = Response<Contract['webhooks']['test']>;

/** Waits for the next attempt of a delivery that was just sent, prints what came of it, and answers the exit code. `wait` is in seconds. */
export async function tellAttempt(client: Client, sent: Delivery, wait: number, output: Output): Promise<ExitCode> {
  const delivery = await attempted(client, sent, wait);
  await printRecord(output, delivery, layout);
  const { attempts, status, webhookId, nextAttemptAt } = delivery;
  const last = attempts.length > sent.attempts.length ? attempts.at(-1) : undefined;
  if (!last) {
    note(`There was no attempt yet. Look again with: runward webhooks deliveries --webhook ${webhookId}`);
    return exitCodes.failure;
  }
  if (status === 'SUCCEEDED') {
    note(`Delivered: ${last.statusCode} in ${last.durationMs} ms.`);
    return exitCodes.ok;
  }
  const next = nextAttemptAt === null ? '' : ` It is tried again at ${nextAttemptAt}.`;
  note(`Not delivered: ${last.error ?? `the receiver answered ${last.statusCode}`}.${next}`);
  return exitCodes.failure;
}

async function attempted({ webhooks }: Client, sent: Delivery, wait: number): Promise<Delivery> {
  const end = Date.now() + wait * 1000;
  let delivery = sent;
  while (delivery.attempts.length === sent.attempts.length && delivery.status === 'PENDING' && Date.now() < end) {
    await pause(250);
    delivery = await webhooks.delivery(sent.webhookId, sent.id);
  }
  return delivery;
}
