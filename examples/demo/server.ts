import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, untilServing, type Child } from '@runward/testing/child';
import { freePort } from '@runward/testing/ports';
import type { Owner } from './second-member.ts';

/** The service, ready for requests. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
  readonly owner: Owner;
  readonly logFile: string;
}

const maxStartSeconds = 90;

/**
 * Starts the service on its embedded PostgreSQL in `dataDir`, with a mail server, and waits until it is ready. Calls
 * `onStart` as soon as there is a process, so that it can be stopped during the start. If it does not become ready,
 * throws with the end of its log.
 */
export async function startServer(
  dataDir: string,
  smtpUrl: string,
  onStart: (child: Child, logFile: string) => void,
): Promise<RunningServer> {
  await mkdir(dataDir, { recursive: true });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, 'service.log');
  await rm(logFile, { force: true });
  const child = startChild('packages/server/src/bin.ts', {
    // Not the repository, because its .env file may configure another service.
    cwd: dataDir,
    logFile,
    env: {
      ...process.env,
      DATABASE_URL: undefined,
      BASE_URL: undefined,
      NODE_ENV: undefined,
      WEBHOOK_RETRY_SCHEDULE: undefined,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_LOCAL: 'true',
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'Runward <runward@example.com>',
      MAIL_DELAY_SECONDS: '2',
      RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
      RATE_LIMIT_READS_PER_MINUTE: '1000000',
    },
  });
  onStart(child, logFile);

  await untilServing(`${baseUrl}/health/ready`, child, maxStartSeconds).catch(async (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The service did not start. ${reason} The end of its log, ${logFile}:\n\n${await tailOf(logFile)}`);
  });
  // The base URL in the credentials is not used, because it comes from the first start.
  const { apiKey, signingSecret, ...owner } = await readCredentials(dataDir);
  return { baseUrl, apiKey, signingSecret, owner, logFile };
}

async function readCredentials(dataDir: string): Promise<Pick<RunningServer, 'apiKey' | 'signingSecret'> & Owner> {
  const path = join(dataDir, 'credentials.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const remedy = `Delete ${dataDir} to start with an empty database, or name another folder with --data-dir.`;
    throw new Error(`The demo cannot read ${path}, which the first start wrote. ${remedy}`, { cause: error });
  });
  return JSON.parse(text) as Pick<RunningServer, 'apiKey' | 'signingSecret'> & Owner;
}

async function tailOf(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  return lines.slice(-20).map(readable).join('\n');
}

/** A line of the log of the service as text: its message and its error. */
function readable(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message: string } };
    return [...new Set([msg, err?.message])].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
