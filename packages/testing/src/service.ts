import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { apiOf, type Api } from './api.ts';
import { freePort } from './ports.ts';
import { hasEnded, startProgram } from './program.ts';
import { until } from './until.ts';

/** The service in a separate process. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly child: ChildProcess;
  /** Everything it has logged so far. */
  log(): string;
  /** Resolves with the exit code, or null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Waits until the service is ready. If it ends first, fails with its log. */
  ready(): Promise<void>;
  /** The API with the key that the first start wrote. */
  api(): Api;
}

/**
 * Starts the service like `npm start`, that of another version if `root` is the folder of its repository. The caller
 * must stop it.
 */
export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
  root?: string,
): Promise<ServiceProcess> {
  const port = env['PORT'] ?? String(await freePort());
  const program = startProgram('packages/server/src/bin.ts', [], {
    root,
    env: { DATA_DIR: dataDir, PORT: port, ...env },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (hasEnded(program.process)) throw new Error(`The service did not start:\n${program.output()}`);
    return (await fetch(`${baseUrl}/health/ready`).catch(() => null))?.status === 200;
  };
  return {
    baseUrl,
    child: program.process,
    log: program.output,
    exited: program.ended,
    ready: async () => {
      await until(isReady, 'the service to be ready');
    },
    api: () => {
      const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as { apiKey: string };
      return apiOf(baseUrl, apiKey);
    },
  };
}

/** Starts the service, waits until it is ready, and kills it after the test. */
export async function startServiceFor(
  t: ExecutionContext,
  ...options: Parameters<typeof startService>
): Promise<ServiceProcess> {
  const service = await startService(...options);
  t.teardown(() => service.child.kill('SIGKILL'));
  await service.ready();
  return service;
}
