import { secretNames, variableNames } from './environment.ts';
import { fileVariable } from './settings/secret-files.ts';
import { version } from './version.ts';

const usage = `Usage: runward-server [--check [--json] | --help | --version]

Starts the Runward service and runs until it gets SIGTERM or SIGINT. All settings are environment variables, or lines of a file .env
in the working folder. With DATABASE_URL=embedded it starts a PostgreSQL of its own in DATA_DIR, and also without DATABASE_URL,
unless NODE_ENV is production.

With --check it does not start: it checks the settings, and whether the database, the place for files, the mail server and all else
that they name can be reached and used, prints a line for each (with --json, JSON), and exits with 0 if all is fine and with 1 if
something is wrong.

Variables:
${columns(variableNames)}

Instead of a secret, the absolute path of a file with it can be set:
${columns(secretNames.map(fileVariable))}

docs/guides/operations.md and .env.example in the repository explain them.
`;

function columns(names: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(names.length / 3) }, (_, row) => names.slice(3 * row, 3 * row + 3));
  return lines.map((line) => `  ${line.map((name) => name.padEnd(30)).join('')}`.trimEnd()).join('\n');
}

/** What the arguments ask for: to print a text and exit, to check the installation, or to start the service. */
export type Arguments =
  | { readonly does: 'print'; readonly exitCode: 0 | 2; readonly text: string }
  | { readonly does: 'check'; readonly json: boolean }
  | { readonly does: 'start' };

const known = new Set(['--check', '--json', '--help', '-h', '--version', '-V']);

/** Reads the arguments of the command. */
export function readArguments(args: readonly string[]): Arguments {
  const [first] = args;
  if (first === undefined) return { does: 'start' };
  const isCheck = args.includes('--check') && args.every((each) => each === '--check' || each === '--json');
  if (isCheck && new Set(args).size === args.length) return { does: 'check', json: args.includes('--json') };
  if (args.length === 1 && (first === '--help' || first === '-h')) return { does: 'print', exitCode: 0, text: usage };
  if (args.length === 1 && (first === '--version' || first === '-V'))
    return { does: 'print', exitCode: 0, text: `${version}\n` };
  return {
    does: 'print',
    exitCode: 2,
    text: `error: ${problemOf(args)}; settings are environment variables, see runward-server --help\n`,
  };
}

function problemOf(args: readonly string[]): string {
  const unknown = args.find((each) => !known.has(each));
  if (unknown !== undefined) return `unknown argument "${unknown}"`;
  return `"${args.join(' ')}" cannot be combined; use --check, --check --json, --help or --version`;
}
