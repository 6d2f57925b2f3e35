import { randomBytes } from 'node:crypto';
import type { DeliveryPayload } from '@runward/contract';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { exitCodes, usage } from '../../errors.ts';
import { findPosition, follow } from '../../event-feed/follow.ts';
import { errorOf, forward, type Forwarding } from '../../event-feed/forward.ts';
import { specifiedEventNames } from '../../generated/values.ts';
import { examples, lists, seconds } from '../../options.ts';
import { event as layout } from '../../output/layouts.ts';
import { printList, type Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { shownTime } from '../../output/readable.ts';
import { pollIntervalMs } from '../../time.ts';
import { readEvents } from './create.ts';
import { addSecret, findSecret, type SecretOptions } from './secret.ts';

interface ListenOptions extends SecretOptions {
  readonly forwardTo?: string;
  readonly event?: readonly string[];
  readonly since: string;
  readonly interval: number;
}

/** `runward webhooks listen`: prints events as they happen, and forwards them to a receiver on this machine. */
export function listenForEvents(webhooks: Command, action: Action): void {
  addSecret(webhooks.command('listen'))
    .option('--forward-to <url>', 'send each event to this URL, signed like a delivery')
    .option(
      '--event <names>',
      'only these events, comma-separated (repeatable; default: the nine of `webhooks create`)',
      lists,
    )
    .option('--since <position>', 'now, oldest, or the cursor that an earlier listen printed', 'now')
    .option('--interval <seconds>', 'how often to poll the server', seconds, 1)
    .addHelpText(
      'after',
      `\nNo webhook and no tunnel are needed: the events come from the event feed. Without a signing secret, one is generated
for the session and printed. An event that does not get a 2xx response is sent three more times, then it counts as failed.
If stdout is not a terminal, the output is JSONL.\n${examples(
        'runward webhooks listen --forward-to http://localhost:3000/webhooks',
        'runward webhooks listen --event run.completed,task.overdue',
        "runward webhooks listen --since oldest | jq -r '.data.runId'",
      )}`,
    )
    .action(
      action(async (cli, { forwardTo, event: events, since, interval, ...options }: ListenOptions) => {
        const { io, info, output } = cli;
        if (output.format === 'csv') throw usage('listen cannot print CSV; use -o jsonl.');
        const wanted = readEvents(events ?? specifiedEventNames);
        const url = forwardTo === undefined ? null : readUrl(forwardTo);
        const client = await cli.connect();
        const position = await findPosition(client, since);
        const receiver = url && { url, secret: (await findSecret(io, options)) ?? newSecret(cli) };
        info(`${url ? `Forwarding events to ${url.href}` : 'Printing events'}. Press Ctrl-C to stop.`);

        using _ = cli.stopGracefully();
        const counts = { handled: 0, failed: 0 };
        const handle = async (event: DeliveryPayload) => {
          if (!wanted.includes(event.event)) return true;
          const forwarding = receiver && (await forward(event, receiver, { stop: io.signal, info }));
          if (receiver && forwarding === null) return false;
          counts[forwarding?.forwarded === false ? 'failed' : 'handled'] += 1;
          await print(output, event, forwarding);
          return true;
        };
        const intervalMs = pollIntervalMs(interval);
        const ended = await follow(client, { since: position, intervalMs, stop: io.signal, handle, info });
        info(receiver ? `Forwarded ${counts.handled}, failed ${counts.failed}.` : `Printed ${counts.handled}.`);
        info(`To continue from here: --since ${ended.position}`);
        if (ended.error !== null) throw ended.error;
        return exitCodes.interrupted;
      }),
    );
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw usage(`"${text}" is not a URL that events can be forwarded to; use one like http://localhost:3000/webhooks.`);
}

/**
 * Creates a secret for this session. It is printed in every format, because without it the receiver rejects every
 * event.
 */
function newSecret({ warn }: Cli): string {
  const secret = randomBytes(32).toString('base64url');
  warn('Events are signed with a secret generated for this session. Start your receiver with:');
  warn(`  RUNWARD_SIGNING_SECRET=${secret}`);
  return secret;
}

async function print(output: Output, event: DeliveryPayload, forwarding: Forwarding | null): Promise<void> {
  if (output.format === 'table') return output.write(toLine(output, event, forwarding));
  await printList({ ...output, format: 'jsonl' }, [{ ...event, ...forwarding }], layout);
}

function toLine(output: Output, { timestamp, event, data }: DeliveryPayload, forwarding: Forwarding | null): string {
  const start = `${shownTime(output, timestamp)}  ${event.padEnd(18)}  ${data.runId}`;
  if (!forwarding) return printable(start);
  const { statusCode, durationMs, forwarded } = forwarding;
  const error = forwarded ? '' : `  failed: ${errorOf(forwarding)}`;
  return printable(`${start}  ${statusCode ?? '---'}  ${durationMs} ms${error}`);
}
