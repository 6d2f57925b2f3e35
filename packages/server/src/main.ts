import { readArguments } from './arguments.ts';
import { readConfig } from './config.ts';
import { isConnectionLoss } from './database/errors.ts';
import { stopSignal } from './stop-signal.ts';
import { createLog } from './telemetry/log.ts';

const end = readArguments(process.argv.slice(2));
if (end) {
  (end.exitCode === 0 ? process.stdout : process.stderr).write(end.text);
  process.exit(end.exitCode);
}

try {
  process.loadEnvFile();
} catch {
  // Without a .env file, the environment is complete.
}

const log = createLog(process.env['LOG_LEVEL']);

function fail(error: unknown): never {
  log.fatal({ err: error }, error instanceof Error ? error.message : 'failed');
  process.exit(1);
}

process.on('uncaughtException', failUnlessConnectionLoss);
process.on('unhandledRejection', failUnlessConnectionLoss);

/** A lost database connection that no query was using does not end the process: the pool opens another. */
function failUnlessConnectionLoss(error: unknown): void {
  if (!isConnectionLoss(error)) fail(error);
  log.error({ err: error }, 'database connection lost; reconnecting');
}

const starting = start();
void stopSignal().then(stop);
const server = await starting;
void server.failed.then(fail);

async function start() {
  try {
    log.debug('starting');
    const config = readConfig(process.env);
    const { startServer } = await import('./server.ts');
    const running = await startServer(config, log);
    const { baseUrl } = running;
    log.info(
      config.role === 'worker'
        ? `Runward worker running; health check at ${baseUrl}/health/ready`
        : `Runward listening on ${baseUrl}; API reference at ${baseUrl}/docs`,
    );
    return running;
  } catch (error) {
    return fail(error);
  }
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  log.info(`${signal} received; finishing work in progress`);
  // Ends the process even if something hangs; unsent deliveries are still in the database.
  setTimeout(() => fail(new Error('Shutdown took longer than 25 s; exiting.')), 25_000).unref();
  const server = await starting;
  await server.stop();
  log.info('stopped');
  process.exit(0);
}
