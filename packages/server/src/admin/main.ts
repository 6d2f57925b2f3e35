import { complain, run } from './run.ts';

try {
  process.loadEnvFile();
} catch {
  // No .env file: the environment alone counts.
}

// A connection that is lost while nobody waits for it tells so here.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// Ending through exit lets a PostgreSQL that was started for this command stop.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

process.exitCode = await run(process.argv.slice(2), process.env);

function fail(error: unknown): never {
  complain(error);
  process.exit(1);
}
