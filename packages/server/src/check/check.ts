import { ConfigError, readConfig, type Config } from '../config.ts';
import { examine, type Finding } from './part.ts';

/** How findings are printed. */
export interface CheckOptions {
  readonly json: boolean;
}

/**
 * Checks the settings, and whether what they name can be reached and used: `runward-server --check`. Changes nothing,
 * but writes and deletes one file or object where files are stored. Returns what to print on standard output, and the
 * exit code: 0 if all is fine, 1 if something is wrong.
 */
export async function check(
  env: Readonly<Record<string, string | undefined>>,
  { json }: CheckOptions,
): Promise<{ readonly exitCode: 0 | 1; readonly text: string }> {
  const findings = await find(env);
  const isFine = findings.every(({ status }) => status !== 'WRONG');
  const text = json ? `${JSON.stringify({ ok: isFine, checks: findings }, null, 2)}\n` : linesOf(findings);
  return { exitCode: isFine ? 0 : 1, text };
}

async function find(env: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((message) => ({ name: 'settings', status: 'WRONG', message }));
  }
  const settings: Finding = { name: 'settings', status: 'OK', message: 'all are valid' };
  const { partsOf } = await import('./parts.ts');
  const findings = (await partsOf(config)).map(async (part) => ('look' in part ? examine(part) : part));
  return [settings, ...(await Promise.all(findings))];
}

function linesOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  return findings
    .map(({ status, name, message }) => `${status.toLowerCase().padEnd(5)}  ${name.padEnd(width)}  ${message}\n`)
    .join('');
}
