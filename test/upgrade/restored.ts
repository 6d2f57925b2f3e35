import { rmSync } from 'node:fs';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { startProgram } from '@runward/testing/program';
import type { ExecutionContext } from 'ava';
import { readDump, restore, type Dump } from './dump.ts';

/** A database with a dump in it, and the data folder that belongs to it. */
export interface Restored extends Dump {
  readonly url: string;
  readonly dataDir: string;
  /** What the service and the administration command are started with. */
  readonly env: Readonly<Record<'DATABASE_URL' | 'DATA_DIR' | 'WEBHOOK_ALLOW_LOCAL', string>>;
}

/** Restores the dump of a version for one test. */
export async function restored(t: ExecutionContext, version: string): Promise<Restored> {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  const { path } = await newDataFolder();
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  const dump = readDump(version);
  await restore(dump, url, path);
  return { ...dump, url, dataDir: path, env: { DATABASE_URL: url, DATA_DIR: path, WEBHOOK_ALLOW_LOCAL: 'true' } };
}

/** Runs a program of the repository, which must end with 0, and returns what it printed. */
export async function runProgram(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const program = startProgram(file, args, { env });
  const code = await program.ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}:\n${program.output()}`);
  return program.stdout();
}

/** Migrates by the administration command of the present version, and returns what it printed. */
export function migrateUp({ env }: Pick<Restored, 'env'>): Promise<string> {
  return runProgram('packages/server/src/admin/main.ts', ['migrate', '--up'], env);
}
