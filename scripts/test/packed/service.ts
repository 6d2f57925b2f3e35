import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { openDatabase } from '@runward/server/internal/database/database';
import { findRunningEmbedded } from '@runward/server/internal/database/embedded/postgres';
import { freePort } from '@runward/testing/ports';
import { repository, startCommand, type Program } from '@runward/testing/program';
import { provisionIn } from '@runward/testing/provision';
import type { SharedApp } from '@runward/testing/use-shared-app';

/** A service that runs as the README of its package says. */
export interface PackedApp extends SharedApp {
  /** What the first start wrote. */
  readonly credentials: { readonly baseUrl: string; readonly apiKey: string; readonly signingSecret: string };
  /** Presses Ctrl-C and resolves with the log. */
  stop(): Promise<string>;
}

/** The environment of a shell outside of the repository: Node, and the commands of these folders. */
export function shellEnvironment(home: string, ...folders: readonly string[]): Record<string, string> {
  const others = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.startsWith(repository));
  return { HOME: home, PATH: [...folders, dirname(process.execPath), ...others].join(delimiter) };
}

/** Runs a command line in a shell outside of the repository. */
export function startLine(line: string, cwd: string, env: Record<string, string> = {}): Program {
  return startCommand('sh', ['-c', line], { cwd, env: { ...shellEnvironment(cwd), ...env }, asGroup: true });
}

/** Starts the service in the folder that it is installed in, with the embedded PostgreSQL. */
export async function startPackedApp(folder: string, line: string): Promise<PackedApp> {
  const port = String(await freePort());
  const limits = { RATE_LIMIT_READS_PER_MINUTE: '100000', RATE_LIMIT_WRITES_PER_MINUTE: '100000' };
  const program = startLine(line, folder, { PORT: port, WEBHOOK_ALLOW_LOCAL: 'true', ...limits });
  try {
    await program.printed(/Runward listening on \S+;/);
    const dataDir = join(folder, '.runward');
    const database = await openDatabase((await findRunningEmbedded(dataDir)) ?? '');
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
