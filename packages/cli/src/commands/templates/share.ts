import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { newShare } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { futureTime } from '../../time.ts';

interface ShareOptions {
  readonly name?: string;
  readonly expires?: string;
}

/** `runward templates share`: prints only the token, so that it can be piped. */
export function shareTemplate(templates: Command, action: Action): void {
  templates
    .command('share')
    .argument('<template>', 'ID or name')
    .option('--name <name>', 'name of the share, like who receives the token')
    .option('--expires <time>', 'end of the share: in 12h or 30d, a date, or a date with a time', futureTime)
    .addHelpText(
      'after',
      `\nThe token is printed once and cannot be retrieved later. With -o, the whole share is printed.\n${examples(
        'runward templates share Onboarding --expires 30d',
        'runward templates share Onboarding | runward templates import - --profile partner',
      )}`,
    )
    .action(
      action(async (cli, idOrName: string, { name, expires }: ShareOptions) => {
        const client = await cli.connectToChange(newShare);
        const { id } = await find(client, 'template', idOrName);
        const share = await client.templates.shares.create(id, { name, expiresAt: expires });
        if (cli.output.chosen || cli.output.fields) return printRecord(cli.output, share, newShare);
        cli.output.write(share.token);
        cli.info(`This token is not shown again. Revoke it with: runward templates unshare ${share.id}`);
      }),
    );
}
