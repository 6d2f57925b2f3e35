import { contract, problemsOf, withInput } from '@runward/contract';
import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { parseJson } from '../../api/content.ts';
import { rejected } from '../../errors.ts';
import { examples } from '../../options.ts';
import { portalPage } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { nameOf, readText } from '../../terminal/input.ts';

interface SetOptions {
  readonly blocks: string;
  readonly publish?: boolean;
}

const pagesOfContract = contract['portals.pages'];

/** `runward portals pages set`. */
export function setPage(pages: Command, action: Action): void {
  pages
    .command('set')
    .argument('<portal>', 'ID or slug')
    .argument('<page>', 'ID or slug')
    .requiredOption('--blocks <file>', 'JSON file with a list of blocks, or a page with its blocks; - is stdin')
    .option('--publish', 'then publish the changes of the page, if there are any')
    .addHelpText('after', examples('runward portals pages set suppliers overview --blocks overview.json --publish'))
    .action(
      action(async (cli, ofPortal: string, ofPage: string, { blocks: path, publish = false }: SetOptions) => {
        const body = parseBlocks(await readText(cli.io, path, 'the blocks'), nameOf(path));
        const client = await cli.connectToChange(portalPage);
        const portal = await find(client, 'portal', ofPortal);
        const { id } = await find(client, 'page', ofPage, portal.id);
        const changed = await client.portals.pages.setBlocks(portal.id, id, body);
        const isPending = publish && changed.hasUnpublishedChanges;
        const page = isPending ? await client.portals.pages.publishChanges(portal.id, id) : changed;
        await printRecord(cli.output, page, portalPage);
      }),
    );
}

/** Reads blocks from a file: a list of blocks, or a page as printed by `pages get`. */
function parseBlocks(text: string, path: string) {
  const content = parseJson(text, path, rejected) ?? {};
  const { blocks } = Array.isArray(content) ? { blocks: content } : (content as { blocks?: unknown });
  const result = pagesOfContract.setBlocks.body.safeParse({ blocks }, withInput);
  if (!result.success) throw rejected(`${path} is invalid:`, ...problemsOf(result.error, 'file'));
  return result.data;
}
