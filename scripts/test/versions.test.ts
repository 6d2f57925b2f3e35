import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import lerna from '../../lerna.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

test('every package, and what packages require of each other, has the version in lerna.json', (t) => {
  const manifests = globSync('packages/*/package.json', { cwd: root }).map(
    (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  );
  const names = new Set(manifests.map(({ name }) => name));
  t.true(names.has('@runward/server'));
  for (const { name, version, dependencies, devDependencies } of manifests) {
    t.is(version, lerna.version, name);
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (names.has(dependency)) t.is(range, lerna.version, `${name} requires ${dependency}`);
    }
  }
});
