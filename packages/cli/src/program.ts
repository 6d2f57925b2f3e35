import { Command } from 'commander';
import { bindAction, type Invocation } from './action.ts';
import { commands } from './commands.ts';
import { addCommands } from './commands/tree.ts';
import type { OutputStream } from './io.ts';
import { choice, list, positiveSeconds } from './options.ts';
import { formats } from './output/formats.ts';
import { version } from './version.ts';

/**
 * Builds the commands that the words of a command line may mean, with their options. Without words (null), builds all
 * commands. Parsing throws errors instead of printing them, and never ends the process.
 */
export async function buildProgram(invocation: Invocation, args: readonly string[] | null): Promise<Command> {
  const { stdout, stderr } = invocation.io;
  const program: Command = new Command('runward')
    .description('Workflow processes from the command line.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addOption(choice('-o, --output <format>', 'output format', formats))
    .option('--fields <names>', 'print only these fields of each record, comma-separated', list)
    .option('--jq <expression>', 'print what this jq expression makes of the JSON')
    .option('--profile <name>', 'stored profile to use (RUNWARD_PROFILE)')
    .option('--base-url <url>', 'URL of the server (RUNWARD_BASE_URL)')
    .option('--timeout <seconds>', 'how long to wait for a response (default: 30)', positiveSeconds)
    .option('--debug', 'log requests to stderr, without credentials')
    .option('--no-color', 'disable colors (NO_COLOR)')
    .configureHelp({
      // Only the program has a version.
      visibleGlobalOptions: ({ parent }) => (parent ? program.options.filter(({ long }) => long !== '--version') : []),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', notes);

  // Completion scripts call `runward complete -- WORDS`.
  const words = args?.[0] === 'complete' ? args.slice(1) : args;
  // The word may be the value of an option. The command is then loaded needlessly.
  const isNamed = (name: string) => words === null || words.includes(name);
  await addCommands(program, commands, isNamed, bindAction(invocation));
  if (args?.[0] === 'complete') (await import('./commands/complete.ts')).addComplete(program, invocation.io);
  return program;
}

function widthOf({ isTTY, columns }: OutputStream): number {
  return (isTTY && columns) || 80;
}

const notes = `
Data is written to stdout, as a table on a terminal and as JSON otherwise. Everything else is written to stderr.
The API key comes from RUNWARD_API_KEY or from "runward login". It has no option, because shells keep a command history.

Exit codes:
  0    success
  1    failure: no connection, a server error, an unreadable file, rows that were not launched, runs that were not migrated, a run that ended otherwise
  2    invalid usage
  3    not found
  4    not allowed: no API key, an invalid key, a missing scope, a template outside the key's resource scope, a feature
       that is not part of the plan
  5    too many requests
  6    rejected: invalid input, errors of a simulation, or an action that the current state does not allow
  7    templates plan --exit-code: there are changes
  124  runs wait, tasks wait: the time of --within is over
  130  interrupted (Ctrl-C, SIGINT)
  143  terminated (SIGTERM)

Examples:
  $ runward login
  $ runward templates apply onboarding.json --publish
  $ runward runs launch --template "Onboarding" --title "Onboarding: Ada"
  $ runward runs list --status OVERDUE -o csv > overdue.csv
  $ runward tasks complete RUN "Sign the contract"`;
