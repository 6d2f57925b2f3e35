import { variableNames } from './config.ts';
import { version } from './version.ts';

const usage = `Usage: runward-server [--help | --version]

Starts the Runward service and runs until it gets SIGTERM or SIGINT. All settings are environment variables, or lines of a file .env
in the working folder. With DATABASE_URL=embedded it starts a PostgreSQL of its own in DATA_DIR, and also without DATABASE_URL,
unless NODE_ENV is production.

Variables:
${columns(variableNames)}

docs/guides/operations.md and .env.example in the repository explain them.
`;

function columns(names: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(names.length / 3) }, (_, row) => names.slice(3 * row, 3 * row + 3));
  return lines.map((line) => `  ${line.map((name) => name.padEnd(30)).join('')}`.trimEnd()).join('\n');
}

/** What the process prints before it exits, and the exit code. Null if the arguments start the service. */
export function readArguments(args: readonly string[]): { readonly exitCode: 0 | 2; readonly text: string } | null {
  const [first] = args;
  if (first === undefined) return null;
  if (args.length === 1 && (first === '--help' || first === '-h')) return { exitCode: 0, text: usage };
  if (args.length === 1 && (first === '--version' || first === '-V')) return { exitCode: 0, text: `${version}\n` };
  const unknown = args.find((each) => !['--help', '-h', '--version', '-V'].includes(each)) ?? args.join(' ');
  return {
    exitCode: 2,
    text: `error: unknown argument "${unknown}"; settings are environment variables, see runward-server --help\n`,
  };
}
