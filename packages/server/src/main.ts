import { readArguments } from './arguments.ts';
import { StartError } from './check/start-step.ts';
import { ConfigError, readConfig } from './config.ts';
import { isConnectionLoss, SchemaError } from './database/errors.ts';
import { MissingPackageError } from './installation/optional-package.ts';
import { createLog, flushed } from './telemetry/log.ts';

/** EX_CONFIG of sysexits.h: a restart is useless until the settings, the database or the installation have changed. */
const configExitCode = 78;

/** Runs the service until the first signal to stop. The process ends then, or when it cannot work. */
export async function main(stopSignal: Promise<NodeJS.Signals>): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (args.does === 'print') return end(args.exitCode, args.text);
  try {
    process.loadEnvFile();
  } catch {
    // If there is no .env file, the environment is complete.
  }
  if (args.does === 'check') {
    void stopSignal.then(() => process.exit(130));
    const { check } = await import('./check/check.ts');
    const { exitCode, text } = await check(process.env, args);
    return end(exitCode, text, process.stdout);
  }

  const log = createLog(process.env['LOG_LEVEL']);
  const fail = (error: unknown): never => {
    const isFinal =
      error instanceof SchemaError || error instanceof MissingPackageError || error instanceof ConfigError;
    // The message is complete; the stack would not help an operator.
    if (isFinal || error instanceof StartError) log.fatal(error.message);
    else log.fatal({ err: error }, error instanceof Error ? error.message : 'failed');
    process.exit(isFinal ? configExitCode : 1);
  };
  // Loss of a database connection that no query was using does not end the process, because the pool opens another.
  const failUnlessConnectionLoss = (error: unknown): void => {
    if (!isConnectionLoss(error)) fail(error);
    log.error({ err: error }, 'database connection lost; reconnecting');
  };
  process.on('uncaughtException', failUnlessConnectionLoss);
  process.on('unhandledRejection', failUnlessConnectionLoss);

  const start = async () => {
    log.debug('starting');
    const config = readConfig(process.env);
    const { startServer } = await import('./server.ts');
    const server = await startServer(config, log);
    log.info(
      config.role === 'worker'
        ? `Runward worker running; health check at ${server.baseUrl}/health/ready`
        : `Runward listening on ${server.baseUrl}; API reference at ${server.baseUrl}/docs`,
    );
    return server;
  };
  const starting = start().catch(fail);
  void starting.then(({ failed }) => failed).then(fail);

  log.info(`${await stopSignal} received; finishing work in progress`);
  // Ends the process even if something hangs. Unsent deliveries are still in the database.
  setTimeout(() => fail(new Error('Shutdown took longer than 25 s; exiting.')), 25_000).unref();
  await (await starting).stop();
  log.info('stopped');
  await flushed(log);
  process.exit(0);
}

/** Ends the process after the text is written, whatever else is in progress. */
function end(exitCode: number, text: string, stream = exitCode === 0 ? process.stdout : process.stderr): void {
  stream.write(text, () => process.exit(exitCode));
}
