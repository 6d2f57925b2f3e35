import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@runward/testing/program';
import { minRuns } from './scenarios.ts';

/** The arguments of the demo, from the command line or the environment. */
export interface Arguments {
  readonly dataDir: string;
  /** The number of CSV rows to launch; undefined for all. */
  readonly rows: number | undefined;
}

/** Reads `--rows` and `--data-dir` (or DATA_DIR). Throws if a value is invalid. */
export function readArguments(): Arguments {
  const { values } = parseArgs({ options: { rows: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= minRuns)) {
    throw new Error(`--rows must be a whole number of at least ${minRuns}; leave it out to launch all.`);
  }
  const dataDir = values['data-dir'] ?? process.env['DATA_DIR'] ?? join(repository, '.runward', 'demo');
  return { rows, dataDir: resolve(dataDir) };
}
