import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { mostRows } from '../../csv-launch/batches.ts';
import { rejected, usage } from '../../errors.ts';
import { askVariables } from '../../launch/ask-variables.ts';
import { toBody, type LaunchBody, type LaunchTexts } from '../../launch/launch-body.ts';
import { readTarget, type Target } from '../../launch/target.ts';
import { choice, collect, examples, keyValues, seconds, wholeNumber } from '../../options.ts';
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

const fileOptions = ['rowsPerRequest', 'map', 'key', 'dryRun', 'journal', 'resolve', 'acceptChanges'] as const;

/** `runward runs launch`: one run, or one for each row of a CSV file. */
export function launchRuns(runs: Command, action: Action): void {
  runs
    .command('launch')
    .requiredOption('--template <id|name>', 'published template to launch')
    .option('--title <text>', "title of the run (default: from the template's title pattern)")
    .option('--date <date>', 'scheduled date, like 2026-03-01 (default: today)')
    .option('--owner <email>', 'email address of the owner (default: the creator of the API key)')
    .option('--var <key=value>', 'flow variable (repeatable)', collect)
    .option('--csv <file>', 'launch a run for each row of this CSV file')
    .option(
      '--map <target=source>',
      'set title, date, owner or var.NAME from a column, or from a text with {columns} (repeatable)',
      collect,
    )
    .option(
      '--key <column>',
      'column that uniquely identifies each row across launches (default: the mapped content of the row)',
    )
    .option('--dry-run', 'check the file and print what would be launched')
    .option('--concurrency <number>', 'number of concurrent requests', wholeNumber(1), 2)
    .option(
      '--rows-per-request <number>',
      `rows that a request launches, at most ${mostRows} (default: as many as suit the template)`,
      wholeNumber(1, mostRows),
    )
    .option('--delimiter <character>', 'column separator', ',')
    .option('--journal <file>', 'file that records the launches (default: FILE.runward.jsonl)')
    .addOption(
      choice('--resolve <how>', 'what to do with interrupted rows whose outcome is unknown', ['retry', 'skip']),
    )
    .option('--settle <seconds>', 'how long an interrupted request may still take effect', seconds, 15)
    .option('--accept-changes', 'launch even if rows launched earlier are no longer in the file')
    .addHelpText(
      'after',
      `\nWith --csv, all rows are checked before the first one is launched. After a failure, a crash or Ctrl-C, run the same\ncommand again: it does not launch a row twice.\n${examples(
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
        // The other options of a file have defaults.
        if (csv !== undefined) return launchFile(cli, template, texts, { ...rest, csv } as FileOptions);

        const stray = fileOptions.find((name) => rest[name] !== undefined);
        if (stray !== undefined) {
          throw usage(`--${stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --csv.`);
        }
        const client = await cli.connectToChange(launchedRun);
        const target = await readTarget(client, template, false);
        const body = await completeBody(cli, texts, target);
        await printRecord(cli.output, await client.runs.launch(body), launchedRun);
      }),
    );
}

/** The body of a launch. Asks for required variables that are missing, if there is a terminal. */
async function completeBody(
  { prompts }: Pick<Cli, 'prompts'>,
  texts: LaunchTexts,
  target: Target,
): Promise<LaunchBody> {
  const { body, errors, missing } = toBody(texts, target);
  if (errors.length > 0) throw rejected(...errors);
  if (missing.length === 0) return body;
  if (!prompts) {
    throw usage(...missing.map((key) => `var.${key}: the template requires a value; add --var ${key}=VALUE`));
  }
  const asked = target.variables?.filter(({ key }) => missing.includes(key)) ?? [];
  const variables = { ...texts.variables, ...(await askVariables(prompts, asked)) };
  return completeBody({ prompts }, { ...texts, variables }, target);
}
