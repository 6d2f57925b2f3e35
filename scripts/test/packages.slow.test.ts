import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import test from 'ava';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

interface Manifest {
  readonly description?: string;
  readonly license?: string;
  readonly main?: string;
  readonly types?: string;
  readonly files?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const manifest = (path: string) => JSON.parse(read(path)) as Manifest;

const optional = ['embedded-postgres', 'fonts-cjk', 'opentelemetry', 'pdf', 's3'];
const libraries = ['contract', 'engine', 'sdk', 'cli', 'mcp', 'webhooks', ...optional];
const { license } = manifest('package.json');

for (const name of [...libraries, 'server']) {
  test(`@runward/${name} says what it is, under which license, on which Node, and has a README`, (t) => {
    const { description = '', files = [], engines, ...own } = manifest(`packages/${name}/package.json`);
    t.regex(description, /^[A-Z].{20,}\.$/);
    t.is(own.license, license);
    t.regex(engines?.node ?? '', /^>=\d+/);
    t.is(own.exports['./package.json'], './package.json');
    // The maps in dist/ refer to the sources. The server is no library: it is published without maps and types.
    const built = name === 'server' ? ['dist/**/*.js'] : ['dist', 'src'];
    t.deepEqual(
      built.filter((folder) => !files.includes(folder)),
      [],
    );
    t.regex(read(`packages/${name}/README.md`), new RegExp(`^# @runward/${name}\n[^]*^## Install\n`, 'm'));
  });
}

for (const name of libraries) {
  test(`@runward/${name} is found by tools that do not read exports`, (t) => {
    const { main, types, exports } = manifest(`packages/${name}/package.json`);
    const { default: file, types: declarations } = exports['.'] as Readonly<Record<string, string>>;
    t.deepEqual([main, types], [file, declarations]);
  });
}

test('every path that a package exports is built from a source file', (t) => {
  for (const name of libraries) {
    for (const [path, { '@runward/source': source = '', default: built }] of Object.entries(
      manifest(`packages/${name}/package.json`).exports as Readonly<Record<string, Readonly<Record<string, string>>>>,
    )) {
      if (path === './package.json') continue;
      t.true(existsSync(join(repository, 'packages', name, source)), `${name} ${path}`);
      t.is(built, source.replace('/src/', '/dist/').replace(/ts$/, 'js'));
    }
  }
});

test('the files that the Dockerfile and the systemd unit start exist in the sources', (t) => {
  for (const file of ['Dockerfile', 'deploy/runward@.service']) {
    const [, path = ''] = /@runward\/server\/dist\/(\w+)\.js/.exec(read(file)) ?? [];
    t.true(existsSync(join(repository, 'packages/server/src', `${path}.ts`)), file);
  }
});

test('the Dockerfile and the systemd unit start Node with the limits of the start script', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const limits = scripts['start']?.match(/--max-\S+/g) ?? [];
  t.true(limits.length > 0);
  for (const file of ['Dockerfile', 'deploy/runward@.service']) {
    t.deepEqual(read(file).match(/--max-[\w=-]+/g), limits, file);
  }
});
