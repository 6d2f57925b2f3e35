import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@runward/testing/ports';
import { type Child, startChild } from './child.ts';

/** The service, ready to be used. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  readonly logFile: string;
}

const longestStart = 90_000;

/**
 * Starts the service on its embedded PostgreSQL in `dataDir` and waits until it is ready. `onStart` gets the process as soon as
 * there is one, so that it can be stopped while it starts. Throws with the end of its log when it does not come up.
 */
export async function startServer(dataDir: string, onStart: (child: Child) => void): Promise<RunningServer> {
  await mkdir(dataDir, { recursive: true });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, 'service.log');
  const child = startChild('packages/server/src/main.ts', {
    // Not the repository: a .env file there is meant for another service.
    cwd: dataDir,
    logFile,
    env: {
      DATABASE_URL: undefined,
      BASE_URL: undefined,
      NODE_ENV: undefined,
      WEBHOOK_RETRY_SCHEDULE: undefined,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_LOCAL: 'true',
      RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
      RATE_LIMIT_READS_PER_MINUTE: '1000000',
    },
  });
  onStart(child);

  const problem = await Promise.race([
    untilReady(baseUrl),
    child.ended.then((end) => `The service ended (${end}) before it was ready.`),
  ]);
  if (problem) throw new Error(`${problem} The end of its log, ${logFile}:\n\n${await tailOf(logFile)}`);
  // Its `baseUrl` is that of the first start.
  const { apiKey, signingSecret } = await readCredentials(dataDir);
  return { baseUrl, apiKey, signingSecret, logFile };
}

async function untilReady(baseUrl: string): Promise<string | null> {
  const deadline = Date.now() + longestStart;
  while (Date.now() < deadline) {
    const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok) return null;
    await pause(100);
  }
  return `The service was not ready within ${longestStart / 1000} s.`;
}

async function readCredentials(dataDir: string): Promise<{ apiKey: string; signingSecret: string }> {
  const path = join(dataDir, 'credentials.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const remedy = `Delete ${dataDir} to begin with an empty database, or name another folder with --data-dir.`;
    throw new Error(`The demo needs ${path}, which the first start wrote, and cannot read it. ${remedy}`, {
      cause: error,
    });
  });
  return JSON.parse(text) as { apiKey: string; signingSecret: string };
}

async function tailOf(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  return lines.slice(-20).map(readable).join('\n');
}

/** A line of the service's log without what only machines read. */
function readable(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message: string } };
    return [...new Set([msg, err?.message])].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
