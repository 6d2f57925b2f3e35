import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = 'v1.37.0';

/**
 * The command of oasdiff: an installed one, or one that Go builds below `.runward-test`, which takes a minute once.
 * Null if neither is possible.
 */
export function oasdiff(root: string): string | null {
  if (spawnSync('oasdiff', ['--version']).status === 0) return 'oasdiff';
  const folder = join(root, '.runward-test', `oasdiff-${version}`);
  const command = join(folder, 'oasdiff');
  if (existsSync(command)) return command;
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder };
  const built = spawnSync('go', ['install', `github.com/oasdiff/oasdiff@${version}`], { env, encoding: 'utf8' });
  if (built.status !== 0) console.log(built.stderr ?? built.error?.message ?? '');
  return built.status === 0 ? command : null;
}

/** What of a document breaks clients of an earlier one, as text; null if nothing does. Both are JSON. */
export function breakingChanges(command: string, before: string, after: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'runward-documents-'));
  try {
    const [base, revision] = [join(folder, 'before.json'), join(folder, 'after.json')];
    writeFileSync(base, withoutUndecided(before));
    writeFileSync(revision, after);
    const options = ['--fail-on', 'ERR', '--format', 'singleline'];
    const { status, stdout, stderr } = spawnSync(command, ['breaking', ...options, base, revision], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status === 0) return null;
    // A document that cannot be read is no change.
    if (status !== 1) throw new Error(`oasdiff failed: ${stderr || stdout}`);
    return stdout.replaceAll(`${folder}/`, '').trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The document without the mark `deprecated` of operations whose last day was not announced: oasdiff lets these be
 * removed at any time.
 */
function withoutUndecided(document: string): string {
  const { paths = {}, ...others } = JSON.parse(document) as {
    readonly paths?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  };
  const marked = Object.entries(paths).map(([path, operations]) => {
    const kept = Object.entries(operations).map(([method, { deprecated, ...operation }]) => {
      return [method, 'x-sunset' in operation ? { deprecated, ...operation } : operation];
    });
    return [path, Object.fromEntries(kept) as unknown];
  });
  return JSON.stringify({ ...others, paths: Object.fromEntries(marked) as unknown });
}
