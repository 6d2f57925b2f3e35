import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@runward/server/internal/database/database';
import { findRunningEmbedded } from '@runward/server/internal/database/embedded/postgres';
import { freePort } from '@runward/testing/ports';
import { provisionIn } from '@runward/testing/provision';
import type { SharedApp } from '@runward/testing/use-shared-app';
import { startLine } from './shell.ts';

/** A service that runs in the way the README of its package describes. */
export interface PackedApp extends SharedApp {
  /** What the first start wrote. */
  readonly credentials: { readonly baseUrl: string; readonly apiKey: string; readonly signingSecret: string };
  /** Presses Ctrl-C and resolves with the log. */
  stop(): Promise<string>;
}

/** Those of a busy machine, in milliseconds. */
const timeouts = {
  connectionTimeoutMillis: 60_000,
  query_timeout: 60_000,
  statement_timeout: 60_000,
  lock_timeout: 60_000,
};

/** Starts the service in the folder where it is installed, with the embedded PostgreSQL. */
export async function startPackedApp(folder: string, line: string): Promise<PackedApp> {
  const port = String(await freePort());
  const limits = { RATE_LIMIT_READS_PER_MINUTE: '100000', RATE_LIMIT_WRITES_PER_MINUTE: '100000' };
  const env = { PORT: port, WEBHOOK_ALLOW_LOCAL: 'true', ...limits };
  const program = startLine(line, { cwd: folder, env });
  try {
    await program.printed(/Runward listening on \S+;/);
    const dataDir = join(folder, '.runward');
    const database = await openDatabase((await findRunningEmbedded(dataDir)) ?? '', { timeouts });
    const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as PackedApp['credentials'];
    const stop = async () => {
      await database.close();
      await program.end('SIGINT');
      return program.output();
    };
    return { baseUrl: credentials.baseUrl, provision: provisionIn(database), credentials, stop };
  } catch (error) {
    await program.end('SIGKILL');
    throw error;
  }
}
