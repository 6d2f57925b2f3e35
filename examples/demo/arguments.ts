import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './child.ts';
import { fewestRuns } from './parts.ts';

/** What the command line, or the environment, asks for. */
export interface Arguments {
  readonly dataDir: string;
  /** How many rows of the CSV file to launch; undefined for all. */
  readonly rows: number | undefined;
}

/** Reads `--rows` and `--data-dir` (or DATA_DIR). Throws saying what is wrong. */
export function readArguments(): Arguments {
  const { values } = parseArgs({ options: { rows: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= fewestRuns)) {
    throw new Error(`--rows must be a whole number of at least ${fewestRuns}; leave it out to launch all.`);
  }
  const dataDir = values['data-dir'] ?? process.env['DATA_DIR'] ?? join(repository, '.runward', 'demo');
  return { rows, dataDir: resolve(dataDir) };
}
