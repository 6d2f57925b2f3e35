import { Option, type Command } from 'commander';
import { action } from '../../cli.ts';
import { refused, usage } from '../../errors.ts';
import { toBody, type LaunchTexts } from '../../launch/launch-body.ts';
import { readTarget } from '../../launch/target.ts';
import { collect, examples, keyValues, seconds, wholeNumber } from '../../options.ts';
import { launchedRun } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { launchFile, type FileOptions } from './launch-file.ts';

interface LaunchOptions extends Partial<FileOptions> {
  readonly template: string;
  readonly title?: string;
  readonly date?: string;
  readonly owner?: string;
  readonly var?: readonly string[];
}

const fileOptions = ['map', 'key', 'dryRun', 'journal', 'resolve', 'acceptChanges'] as const;

/** `runward runs launch`: one run, or one for each row of a CSV file. */
export function launchRuns(runs: Command): void {
  runs
    .command('launch')
    .description('Launch a run, or one for each row of a CSV file')
    .requiredOption('--template <id|name>', 'published template')
    .option('--title <text>', "title (default: the template's pattern)")
    .option('--date <date>', 'scheduled date, like 2026-03-01 (default: today)')
    .option('--owner <email>', 'owner (default: the maker of the key)')
    .option('--var <key=value>', 'flow variable (repeatable)', collect)
    .option('--csv <file>', 'launch a run for each row of this file')
    .option(
      '--map <target=source>',
      'title, date, owner or var.NAME from a column, or from a text with {columns} (repeatable)',
      collect,
    )
    .option('--key <column>', 'column that tells rows apart for ever (default: their mapped content)')
    .option('--dry-run', 'check the file and print what would be launched')
    .option('--concurrency <number>', 'launch so many at a time', wholeNumber(1), 4)
    .option('--delimiter <character>', 'what separates the columns', ',')
    .option('--journal <file>', 'where launches are written down (default: FILE.runward.jsonl)')
    .addOption(new Option('--resolve <how>', 'rows that broke off and cannot be told').choices(['retry', 'skip']))
    .option('--settle <seconds>', 'how long a request that broke off may still take effect', seconds, 15)
    .option('--accept-changes', 'launch although rows launched before are gone from the file')
    .addHelpText(
      'after',
      `\nWith --csv, all rows are checked before the first is launched. Run the same command again after a failure, a crash or\nCtrl-C: rows that were launched are not launched twice.\n${examples(
        'runward runs launch --template Onboarding --title "Onboarding: Ada" --var fullName="Ada Lovelace"',
        'runward runs launch --template Onboarding --csv hires.csv --key employeeId \\',
        '    --map title="Onboard {name}" --map date=start --map owner=managerEmail --map var.fullName=name --dry-run',
      )}`,
    )
    .action(
      action(async (cli, { template, title, date, owner, var: given, ...rest }: LaunchOptions) => {
        const variables = Object.fromEntries(keyValues('--var', given));
        const texts: LaunchTexts = {
          ...(title !== undefined && { title }),
          ...(date !== undefined && { date }),
          ...(owner !== undefined && { owner }),
          variables,
        };
        const { csv } = rest;
        // Everything else of these options has a default.
        if (csv !== undefined) return launchFile(cli, template, texts, { ...rest, csv } as FileOptions);

        const stray = fileOptions.find((name) => rest[name] !== undefined);
        if (stray !== undefined)
          throw usage(`--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} goes with --csv.`);
        const client = await cli.connect();
        const target = await readTarget(client, template, false);
        const { body, faults } = toBody(texts, target);
        if (faults.length > 0) throw refused(...faults);
        await printRecord(cli.output, await client.runs.launch(body), launchedRun);
      }),
    );
}
