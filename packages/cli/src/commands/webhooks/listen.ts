import { randomBytes } from 'node:crypto';
import type { DeliveryPayload } from '@runward/contract';
import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { exitCodes, usage } from '../../errors.ts';
import { findPlace, follow } from '../../listen/follow.ts';
import { forward, problemOf, type Forwarding, type Target } from '../../listen/forward.ts';
import { examples, lists, seconds } from '../../options.ts';
import { event as layout } from '../../output/layouts.ts';
import { printList, write, type Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { stopGently } from '../../terminal/interrupt.ts';
import { note, tell } from '../../terminal/notes.ts';
import { readEvents } from './create.ts';
import { addSecret, findSecret, type SecretOptions } from './secret.ts';

interface ListenOptions extends SecretOptions {
  readonly forwardTo?: string;
  readonly events?: readonly string[];
  readonly since: string;
  readonly interval: number;
}

/** `runward webhooks listen`: prints events as they happen, and forwards them to a receiver on this machine. */
export function listenForEvents(webhooks: Command): void {
  addSecret(webhooks.command('listen').description('Print events as they happen, and forward them to a receiver'))
    .option('--forward-to <url>', 'send each event there, signed like a delivery')
    .option('--events <names>', 'only these events, separated by commas (repeatable; default: all)', lists)
    .option('--since <place>', 'now, oldest, or the cursor an earlier listen ended with', 'now')
    .option('--interval <seconds>', 'ask the server this often', seconds, 1)
    .addHelpText(
      'after',
      `\nIt needs no webhook and no tunnel: it reads the feed of events. Without a secret it makes one for this session and prints it.
What is not answered with a 2xx is sent again three times, then counted as failed. Piped, it prints JSONL.\n${examples(
        'runward webhooks listen --forward-to http://localhost:3000/webhooks',
        'runward webhooks listen --events run.completed,task.overdue',
        "runward webhooks listen --since oldest | jq -r '.data.runId'",
      )}`,
    )
    .action(
      action(async (cli, { forwardTo, events, since, interval, ...options }: ListenOptions) => {
        if (cli.output.format === 'csv') throw usage('listen prints lines as they happen; use -o jsonl.');
        const wanted = events && readEvents(events);
        const url = forwardTo === undefined ? null : readUrl(forwardTo);
        const client = await cli.connect();
        const place = await findPlace(client, since);
        const target = url && { url, secret: (await findSecret(options)) ?? newSecret() };
        note(`${url ? `Forwarding events to ${url.href}` : 'Printing events as they happen'}; Ctrl-C ends it.`);

        const stop = new AbortController();
        using _ = stopGently(() => stop.abort());
        const counts = { taken: 0, failed: 0 };
        const take = async (event: DeliveryPayload) => {
          if (wanted && !wanted.includes(event.event)) return true;
          const forwarding = target && (await forward(event, target, stop.signal));
          if (target && forwarding === null) return false;
          counts[forwarding?.forwarded === false ? 'failed' : 'taken'] += 1;
          await print(cli.output, event, forwarding);
          return true;
        };
        const intervalMs = Math.max(interval, 0.1) * 1000;
        const ended = await follow(client, { since: place, intervalMs, stop: stop.signal, take });
        tellEnd(counts, target, ended.place);
        if (ended.error !== null) throw ended.error;
        return exitCodes.interrupted;
      }),
    );
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw usage(`"${text}" is no address to forward to. Give one like http://localhost:3000/webhooks.`);
}

/** A secret for this session. It is told whatever is hushed: without it, the receiver refuses everything. */
function newSecret(): string {
  const secret = randomBytes(32).toString('base64url');
  tell('Events are signed with a secret made for this session. Start your receiver with:');
  tell(`  RUNWARD_SIGNING_SECRET=${secret}`);
  return secret;
}

async function print(output: Output, event: DeliveryPayload, forwarding: Forwarding | null): Promise<void> {
  if (output.format === 'table') return write(line(event, forwarding));
  await printList({ ...output, format: 'jsonl' }, [{ ...event, ...forwarding }], layout);
}

function line({ timestamp, event, data }: DeliveryPayload, forwarding: Forwarding | null): string {
  const start = `${timestamp}  ${event.padEnd(18)}  ${data.runId}`;
  if (!forwarding) return printable(start);
  const { statusCode, durationMs, forwarded } = forwarding;
  const problem = forwarded ? '' : `  failed: ${problemOf(forwarding)}`;
  return printable(`${start}  ${statusCode ?? '---'}  ${durationMs} ms${problem}`);
}

function tellEnd({ taken, failed }: { taken: number; failed: number }, target: Target | null, place: string): void {
  note(target ? `Forwarded ${taken}, failed ${failed}.` : `Printed ${taken}.`);
  note(`To go on from here: --since ${place}`);
}
