import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { apiOf, type Api } from './api.ts';

const root = dirname(dirname(dirname(dirname(import.meta.dirname))));

/** The service as a process of its own, started the way `npm start` does. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly child: ChildProcess;
  /** Everything it has logged so far. */
  log(): string;
  /** Resolves with the exit code, null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Waits until it can serve; throws with the log where it ends before. */
  ready(): Promise<void>;
  /** The API with the key that the first start wrote. */
  api(): Api;
}

/** Starts the service; the caller ends it. */
export async function startService(dataDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const port = env['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, ['--conditions=@runward/source', 'packages/server/src/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (chunk) => (log += String(chunk)));
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    child,
    log: () => log,
    exited,
    ready: async () => {
      for (let attempt = 0; attempt < 600; attempt += 1) {
        if (child.exitCode !== null || child.signalCode !== null) break;
        const answer = await fetch(`${baseUrl}/health/ready`).catch(() => null);
        if (answer?.status === 200) return;
        await pause(50);
      }
      throw new Error(`The service did not start:\n${log}`);
    },
    api: () => {
      const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as { apiKey: string };
      return apiOf(baseUrl, apiKey);
    },
  };
}

/** A port nobody listens on right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
