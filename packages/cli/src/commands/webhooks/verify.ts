import { verify } from '@runward/webhooks';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { examples, wholeNumber } from '../../options.ts';
import { printRecord } from '../../output/print.ts';
import { readStdin, readText } from '../../terminal/input.ts';
import { addSecret, readSecret, type SecretOptions } from './secret.ts';

interface VerifyOptions extends SecretOptions {
  readonly timestamp?: string;
  readonly signature?: string;
  readonly headers?: string;
  readonly tolerance?: number;
}

const fields = ['event', 'deliveryId', 'timestamp', 'orgId', 'data'];

/** `runward webhooks verify`: verifies the signature of a delivery. */
export function verifyDelivery(webhooks: Command, action: Action): void {
  addSecret(webhooks.command('verify'))
    .option('--timestamp <seconds>', 'its x-flow-timestamp header')
    .option('--signature <hex>', 'its x-flow-signature header')
    .option('--headers <file>', 'instead of both: a file with its headers, as "name: value" lines or as a JSON object')
    .option('--tolerance <seconds>', 'maximum age (default: 300)', wholeNumber(0))
    .addHelpText(
      'after',
      `\nIt prints the event. The exit code is 6 if the delivery is not authentic.\n${examples(
        'runward webhooks verify --headers headers.txt < body.json',
        'runward webhooks verify --timestamp 1767225600 --signature 5f2a… --tolerance 86400 < body.json',
      )}`,
    )
    .action(
      action(async ({ io, output, info }, options: VerifyOptions) => {
        const secret = await readSecret(io, options);
        const headers = await readHeaders(io, options);
        const event = await verify(await readStdin(io, 'the raw body'), headers, {
          secret,
          toleranceSeconds: options.tolerance,
        });
        info('The delivery is authentic.');
        await printRecord(output, event, { columns: fields, fields });
      }),
    );
}

async function readHeaders(io: Io, { timestamp, signature, headers }: VerifyOptions): Promise<Record<string, string>> {
  if (headers === undefined) {
    if (timestamp === undefined || signature === undefined) {
      throw usage('Use --timestamp and --signature, or --headers FILE.');
    }
    return { 'x-flow-timestamp': timestamp, 'x-flow-signature': signature };
  }
  if (timestamp !== undefined || signature !== undefined) {
    throw usage('Use either --headers or --timestamp and --signature.');
  }
  const text = await readText(io, headers, 'the headers');
  return text.trimStart().startsWith('{') ? fromJson(text, headers) : fromLines(text);
}

function fromJson(text: string, path: string): Record<string, string> {
  try {
    const parsed: Record<string, unknown> = JSON.parse(text);
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
  } catch {
    throw usage(`${path} is not a JSON object. Lines like "x-flow-timestamp: 1767225600" are accepted, too.`);
  }
}

function fromLines(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).map((line) => /^([^:\s]+):\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', pair[2] ?? '']] : [])));
}
