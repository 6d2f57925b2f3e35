import { ConfigError, readConfig, type Config } from '../config.ts';
import { examine, type Finding } from './part.ts';
import { allWork, printed } from './print.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How findings are printed. */
export interface CheckOptions {
  readonly json: boolean;
}

/**
 * Checks the settings, and whether what they name can be reached and used: `runward-server --check`. Changes nothing,
 * but writes and deletes one file or object where files are stored. Returns what to print on standard output, and the
 * exit code: 0 if nothing is wrong, or else 1.
 */
export async function check(
  env: Environment,
  options: CheckOptions,
): Promise<{ readonly exitCode: 0 | 1; readonly text: string }> {
  const { config, findings: ofSettings } = readSettings(env);
  const findings = [...ofSettings, ...(config === null ? [] : await examineParts(config))];
  return { exitCode: allWork(findings) ? 0 : 1, text: printed(findings, options) };
}

/** The settings, or null if any are wrong, and what is to be said about them. */
export function readSettings(env: Environment): {
  readonly config: Config | null;
  readonly findings: readonly Finding[];
} {
  try {
    return { config: readConfig(env), findings: [{ name: 'settings', status: 'OK', message: 'all are valid' }] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((message) => ({ name: 'settings', status: 'WRONG' as const, message }));
    return { config: null, findings };
  }
}

/** Tries all parts that the settings name, at the same time. */
export async function examineParts(config: Config): Promise<readonly Finding[]> {
  // Loaded on demand, because it takes long.
  const { partsOf } = await import('./parts.ts');
  return Promise.all((await partsOf(config)).map(async (part) => ('look' in part ? examine(part) : part)));
}
