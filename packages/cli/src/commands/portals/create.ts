import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { portalAudiences } from '../../generated/values.ts';
import { choice, examples } from '../../options.ts';
import { portal } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

interface CreateOptions {
  readonly slug: string;
  readonly description?: string;
  readonly audience?: (typeof portalAudiences)[number];
}

/** `runward portals create`. */
export function createPortal(portals: Command, action: Action): void {
  portals
    .command('create')
    .argument('<name>', 'display name')
    .requiredOption('--slug <slug>', 'what its URL ends with: lower-case letters, digits and single hyphens')
    .option('--description <text>', 'what the portal is for')
    .addOption(
      choice('--audience <audience>', 'who may read it once it is published (default: RESTRICTED)', portalAudiences),
    )
    .addHelpText('after', examples('runward portals create "Supplier portal" --slug suppliers --audience PUBLIC'))
    .action(
      action(async (cli, name: string, { slug, description, audience }: CreateOptions) => {
        const client = await cli.connect();
        const created = await client.portals.create({
          name,
          slug,
          ...(description !== undefined && { description }),
          ...(audience && { audience }),
        });
        await printRecord(cli.output, created, portal);
      }),
    );
}
