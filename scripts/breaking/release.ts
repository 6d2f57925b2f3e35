import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The tag of the last release that the current commit contains, like `v0.1.0`; null if there is none. */
export function lastRelease(root: string): string | null {
  const tags = run(root, 'git', 'tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*').split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) ?? null;
}

/** The commits since a tag that are marked as breaking, each as its abbreviated id and subject. */
export function breaksSince(root: string, tag: string): string[] {
  const log = run(root, 'git', 'log', '--format=%h %s%n%b%x00', `${tag}..HEAD`);
  return log
    .split('\0')
    .map((commit) => commit.trim())
    .filter((commit) => /^\S+ \w+(?:\([^)]*\))?!:|^BREAKING[ -]CHANGE:/m.test(commit))
    .map((commit) => commit.split('\n')[0] ?? '');
}

const print = `import { openApiDocument } from '@runward/server/internal/http/openapi/document';
process.stdout.write(JSON.stringify(openApiDocument()));`;

/** The OpenAPI document as the code of a tag makes it, with the dependencies of that time; null: of the working tree. */
export function documentAt(root: string, tag: string | null): string {
  if (tag === null) return printDocument(root);
  const folder = mkdtempSync(join(tmpdir(), 'runward-release-'));
  try {
    run(root, 'git', 'worktree', 'add', '--quiet', '--detach', folder, tag);
    run(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    return printDocument(folder);
  } finally {
    rmSync(folder, { recursive: true });
    run(root, 'git', 'worktree', 'prune');
  }
}

function printDocument(root: string): string {
  return run(root, process.execPath, '--conditions=@runward/source', '--input-type=module', '--eval', print);
}
