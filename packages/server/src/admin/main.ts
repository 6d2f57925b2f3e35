import { commandError } from './command-error.ts';
import { printError, run } from './run.ts';

try {
  process.loadEnvFile();
} catch {
  // If there is no .env file, the environment is complete.
}

// The command has done its work by then. A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  fail(commandError(`Standard output cannot be written: ${message}. What the command has changed stays changed.`));
});
// A connection that is lost between queries is reported here.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// A PostgreSQL that was started for this command stops with it.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

process.exitCode = await run(process.argv.slice(2), process);

function fail(error: unknown): never {
  printError(process.stderr, error);
  process.exit(1);
}
