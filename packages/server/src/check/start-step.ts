import { access, constants } from 'node:fs/promises';
import { leadsToPooler } from '../database/connection/pooler.ts';
import { openDataDir } from '../database/embedded/files.ts';
import { SchemaError } from '../database/errors.ts';
import { findingOf, remedies } from './part.ts';

/** The service cannot start. The message is complete: it names the setting, and ends with what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Connects to the database once. Throws a SchemaError if it is behind a pooler that the service cannot use. */
export function ensureReachable(databaseUrl: string): Promise<unknown> {
  return startStep('DATABASE_URL', remedies.database, () => leadsToPooler(databaseUrl));
}

/** Creates the data folder if it does not exist, and finds out whether files can be created in it. */
export function openDataFolder(dataDir: string): Promise<void> {
  return startStep('DATA_DIR', remedies.dataFolder, async () => access(await openDataDir(dataDir), constants.W_OK));
}

/** Listens on the port of a setting. */
export function listenOn<Result>(setting: 'PORT' | 'METRICS_PORT', listen: () => Promise<Result>): Promise<Result> {
  return startStep(setting, `set ${setting} or HOST to one that is free on this machine`, listen);
}

/** Takes a step of the start, whose errors are due to a setting. */
async function startStep<Result>(setting: string, remedy: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    throw new StartError(`${findingOf({ name: '', setting, remedy }, error).message}.`, { cause: error });
  }
}
