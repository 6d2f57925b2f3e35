import { sign } from '@runward/webhooks';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples, wholeNumber } from '../../options.ts';
import { toJson } from '../../output/printable.ts';
import { readStdin } from '../../terminal/input.ts';
import { addSecret, readSecret, type SecretOptions } from './secret.ts';

interface SignOptions extends SecretOptions {
  readonly timestamp?: number;
}

/** `runward webhooks sign`: prints the headers that the service would send with a body. */
export function signBody(webhooks: Command, action: Action): void {
  addSecret(webhooks.command('sign'))
    .option('--timestamp <seconds>', 'sign for this time, in epoch seconds (default: now)', wholeNumber(0))
    .addHelpText(
      'after',
      `\nIt prints lines for curl; -o json prints an object.\n${examples(
        'runward webhooks sign < event.json > headers.txt',
        'curl -H @headers.txt --data-binary @event.json http://localhost:8080/hooks',
      )}`,
    )
    .action(
      action(async ({ io, output }, { timestamp, ...options }: SignOptions) => {
        const secret = await readSecret(io, options);
        const headers = await sign(await readStdin(io, 'the body'), { secret, timestamp });
        if (output.chosen && output.format !== 'table') {
          return output.write(toJson(headers, output.format === 'json' ? 2 : 0));
        }
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        output.write(lines.join('\n'));
      }),
    );
}
