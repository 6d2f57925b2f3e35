import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;

test('every package, and what packages require of each other, has the version in lerna.json', (t) => {
  const { version: expected } = read('lerna.json');
  const manifests = globSync('packages/*/package.json', { cwd: root }).map(read);
  const names = new Set(manifests.map(({ name }) => name));
  t.true(names.has('@runward/server'));
  for (const { name, version, dependencies, devDependencies } of manifests) {
    t.is(version, expected, name);
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (names.has(dependency)) t.is(range, expected, `${name} requires ${dependency}`);
    }
  }
});

test('the Python client has the version in lerna.json', (t) => {
  const text = readFileSync(join(root, 'clients/python/src/runward/_version.py'), 'utf8');
  t.is(/__version__ = "(.+)"/.exec(text)?.[1], read('lerna.json').version);
});
