import { execFileSync } from 'node:child_process';
import { checkOut } from '@runward/testing/releases/release';

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

/**
 * The OpenAPI document as the code of a tag makes it, with the dependencies of that time; null: of the working tree.
 */
export function documentAt(root: string, tag: string | null): string {
  const folder = tag === null ? root : checkOut(root, tag);
  return run(folder, process.execPath, '--conditions=@runward/source', '--input-type=module', '--eval', print);
}
