import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { verifyExport } from '../../audit/audit-file.ts';
import { rejected } from '../../errors.ts';
import { examples } from '../../options.ts';
import { printRecord } from '../../output/print.ts';
import { readText } from '../../terminal/input.ts';

const fields = ['runId', 'publicId', 'count', 'hash'];

/** `runward audit verify`: verifies an export without a server or an API key. */
export function verifyActivity(audit: Command, action: Action): void {
  audit
    .command('verify')
    .argument('<file>', 'file of "runward audit export"; - is stdin')
    .option('--contains <hash>', 'a hash of the run that you noted earlier; fails unless a line has it')
    .addHelpText(
      'after',
      `\nIt names the first line that was changed, removed, inserted or moved; the exit code is then 6.\n${examples(
        'runward audit verify run.jsonl',
        'runward audit verify run.jsonl --contains 9f86d081884c7d65…',
      )}`,
    )
    .action(
      action(async ({ io, output, info }, path: string, { contains }: { contains?: string }) => {
        const text = await readText(io, path, 'the export');
        const { header, lines, problem } = verifyExport(text, path === '-' ? 'stdin' : path);
        if (problem) throw rejected(problem.message);
        if (contains !== undefined && !lines.some(({ hash }) => hash === contains.trim().toLowerCase())) {
          throw rejected(`No line has the hash ${contains}: lines were changed since, or it is of another run.`);
        }
        const count = header.count === 1 ? '1 line' : `${header.count} lines`;
        info(`The activity of ${header.publicId} is complete and unchanged: ${count}.`);
        await printRecord(output, header, { columns: fields, fields });
      }),
    );
}
