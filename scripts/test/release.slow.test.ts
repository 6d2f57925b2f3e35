import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import test from 'ava';

interface Versioned {
  readonly version: string;
}

const inClone = existsSync(join(repository, '.git')) ? test : test.skip;

inClone('a release sets the version everywhere, writes the changelog, commits and tags', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'runward-release-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const versionOf = (path: string) => (JSON.parse(read(path)) as Versioned).version;
  run('git', 'clone', '--quiet', repository, '.');
  run('git', 'config', 'user.name', 'Releaser');
  run('git', 'config', 'user.email', 'releaser@example.com');
  // Also on a detached head, and on the commit of a release.
  run('git', 'checkout', '--quiet', '-B', 'release');
  run('git', 'commit', '--quiet', '--allow-empty', '--message', 'feat(sdk): add what the test looks for');
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const before = versionOf('lerna.json');

  run(join(folder, 'node_modules/.bin/lerna'), 'version', '--yes', '--no-push');

  const version = versionOf('lerna.json');
  t.not(version, before);
  for (const manifest of globSync('packages/*/package.json', { cwd: folder }))
    t.is(versionOf(manifest), version, manifest);
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Versioned> };
  t.is(packages['packages/sdk']?.version, version);
  t.true(read('packages/sdk/src/version.ts').includes(`'${version}'`));
  t.true(read('clients/python/src/runward/_version.py').includes(`"${version}"`));
  t.is(read('deploy/helm/runward/Chart.yaml').match(new RegExp(`ersion: ${version}$`, 'gm'))?.length, 2);
  const changelog = read('CHANGELOG.md');
  t.true(changelog.includes(`## ${version} (`), changelog.slice(0, 200));
  t.true(changelog.includes('* **sdk:** add what the test looks for'));
  t.false(changelog.includes('Unreleased'));
  t.is(run('git', 'log', '-1', '--format=%s').trim(), `chore(release): v${version}`);
  t.is(run('git', 'tag', '--points-at', 'HEAD').trim(), `v${version}`);
});
