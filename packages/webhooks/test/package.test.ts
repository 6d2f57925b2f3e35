import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';

const root = new URL('../', import.meta.url);

test('the sources import only each other, and adapters have at most 40 lines', async (t) => {
  const files = (await readdir(new URL('src/', root), { recursive: true })).filter((file) => file.endsWith('.ts'));
  t.true(files.includes('adapters/node.ts'));
  for (const file of files) {
    const source = await readFile(new URL(`src/${file}`, root), 'utf8');
    const imported = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name ?? '');
    t.deepEqual(
      imported.filter((name) => !/^\.{1,2}\/[\w./-]+\.ts$/.test(name)),
      [],
      file,
    );
    t.notRegex(source, /\b(Buffer|process|require)\b[.(]/, `${file} must run without Node`);
    if (file.startsWith('adapters/')) t.true(source.split('\n').length <= 41, `${file} is longer than 40 lines`);
  }
});

test('the package has no runtime dependencies', async (t) => {
  const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as Record<string, unknown>;
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    t.is(manifest[kind], undefined, kind);
});

test('every name imported in the README is exported', async (t) => {
  const exported = Object.keys(await import('../src/index.ts'));
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const imports = [...readme.matchAll(/import \{([^}]+)\} from '@runward\/webhooks'/g)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  t.true(names.length >= 8);
  const values = names.filter((name) => name !== '' && !name.startsWith('type '));
  t.deepEqual(
    values.filter((name) => !exported.includes(name)),
    [],
  );
  for (const adapter of ['toNodeHandler', 'toKoaMiddleware', 'fastifyPlugin', 'toFetchHandler', 'sign', 'verify']) {
    t.true(values.includes(adapter), `${adapter} has an example`);
  }
});
