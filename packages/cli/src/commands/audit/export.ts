import { verifyChain } from '@runward/engine';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { toExport } from '../../audit/audit-file.ts';
import { rejected } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { examples } from '../../options.ts';
import { saveText } from '../../output/download.ts';
import { printableLines } from '../../output/printable.ts';

/** `runward audit export`: saves the activity of a run to a file that can be verified without the server. */
export function exportActivity(audit: Command, action: Action): void {
  audit
    .command('export')
    .argument('<run>', runArgument)
    .argument('[file]', 'file to write; default: stdout')
    .addHelpText(
      'after',
      `\nThe exit code is 6 if what the server returned is not a complete, unchanged chain; it is exported nevertheless.\n${examples(
        'runward audit export RUN run.jsonl && runward audit verify run.jsonl',
      )}`,
    )
    .action(
      action(async (cli, run: string, file: string | undefined) => {
        const client = await cli.connect();
        const id = await findRunId(client, run);
        const { runs } = client;
        const { publicId, version, activityHash: hash } = await runs.get(id);
        const count = Number(version);
        // Lines that were added since belong to a later head.
        const newestFirst = (await Array.fromAsync(runs.activity(id))).filter(({ sequence }) => sequence <= count);
        const lines = newestFirst.reverse();
        const text = toExport({ runId: id.toLowerCase(), publicId, count, hash }, lines);
        if (file === undefined) cli.output.write(cli.output.isTerminal ? printableLines(text) : text);
        else await saveText(cli, text, file);
        const problem = verifyChain(lines, { count, hash });
        if (problem) throw rejected(`The server returned a broken chain. ${problem.message}`);
      }),
    );
}
