import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The tag of the last release that the current commit contains, like `v0.1.0`; null if there is none. */
export function lastRelease(root: string): string | null {
  const tags = run(root, 'git', 'tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*').split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) ?? null;
}

/**
 * Checks out a tag, with the dependencies of that time, and returns its folder. This is kept in `.runward-test`,
 * because installing takes most of a minute. Needs the registry of npm. Throws if there is no such tag.
 */
export function checkOut(root: string, tag: string): string {
  const commit = run(root, 'git', 'rev-parse', '--verify', '--end-of-options', `refs/tags/${tag}^{commit}`).trim();
  const folder = join(root, '.runward-test', 'releases', `${tag}-${commit}`);
  if (!existsSync(folder)) fill(folder, root, commit);
  return folder;
}

function fill(folder: string, root: string, commit: string): void {
  // Whoever finds the folder may use it, so it gets its name when it is complete.
  const begun = `${folder}-begun-${process.pid}`;
  mkdirSync(begun, { recursive: true });
  try {
    const archive = join(begun, 'archive.tar');
    run(root, 'git', 'archive', '--format=tar', `--output=${archive}`, commit);
    run(begun, 'tar', '-xf', archive);
    rmSync(archive);
    run(begun, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    renameSync(begun, folder);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio });
}
