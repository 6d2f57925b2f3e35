import { printError, run } from './run.ts';

try {
  process.loadEnvFile();
} catch {
  // If there is no .env file, the environment is complete.
}

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
