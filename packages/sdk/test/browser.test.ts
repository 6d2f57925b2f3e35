import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { json, startServer } from '@runward/testing/http-server';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { build } from 'esbuild';
import { newSha256 } from '../src/files/sha256.ts';
import type * as Index from '../src/index.ts';
import { openForm } from './support/file-form.ts';

type Sdk = typeof Index;

const app = useSharedApp(test);
const source = join(import.meta.dirname, '..', 'src');

/** The modules that a file imports, directly or through its imports, except types. */
function importsOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const names = [...text.matchAll(/^(?:import|export) (?!type )(?:[^;]*?from )?'([^']+)'|\bimport\('([^']+)'\)/gm)];
  return names.flatMap(([, fixed = '', lazy = fixed]) => {
    const target = join(dirname(path), lazy);
    return lazy.startsWith('.') && existsSync(target) ? importsOf(target, seen) : [lazy];
  });
}

test('a bundle for browsers imports no module of Node', (t) => {
  const names = new Set(importsOf(join(source, 'index.ts')));
  t.deepEqual([...names].toSorted(), ['@noble/hashes/sha2.js', 'ofetch']);
});

for (const [runtime, conditions] of [
  ['browsers', []],
  ['edge runtimes', ['workerd', 'edge-light']],
] as const) {
  test(`a bundle for ${runtime} builds, has no schemas and at most 40 KB compressed, and calls hooks`, async (t) => {
    const { outputFiles, metafile, warnings } = await build({
      entryPoints: [join(source, 'index.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['@runward/source', ...conditions],
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    t.deepEqual(warnings, []);
    t.deepEqual(
      Object.keys(metafile.inputs).filter((path) => /\bzod\b|packages\/contract\//.test(path)),
      [],
    );
    const contents = Buffer.from(outputFiles[0]?.contents ?? '');
    t.true(gzipSync(contents).length <= 40_000);

    const bundle = (await import(`data:text/javascript;base64,${contents.toString('base64')}`)) as Sdk;
    const { baseUrl, received } = await startServer(t, (res) => json(res, 200, { status: 'ok' }));
    const statuses: number[] = [];
    const hooks: Index.Hooks = {
      onRequest: async ({ options }) => options.headers.set('x-trace', 'abc'),
      onResponse: ({ response }) => statuses.push(response.status),
    };
    await bundle.createClient({ baseUrl, hooks }).health.live();
    t.deepEqual([statuses, received[0]?.headers['x-trace']], [[200], 'abc']);
  });
}

test('the SHA-256 of browsers is that of Node', async (t) => {
  for (const size of [0, 1, 64, 100_000]) {
    const bytes = randomBytes(size);
    const hash = await newSha256(false);
    hash.update(bytes.subarray(0, size / 2));
    hash.update(bytes.subarray(size / 2));
    t.is(hash.hex(), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('uploads and downloads work where Node and streamed requests are missing', async (t) => {
  const { apiKey, entryId, field, attached } = await openForm(app);
  // A process that looks like a browser to the SDK.
  const program = `
    await fetch('data:,'); // Loads the fetch of Node before its version is hidden.
    Object.defineProperty(process, 'versions', { value: {} });
    const { createClient } = await import(${JSON.stringify(join(source, 'index.ts'))});
    const { files } = createClient(${JSON.stringify({ apiKey, baseUrl: app.baseUrl })});
    const upload = (content, options) => files.upload('${entryId}', '${field('papers')}', content, options);
    const progress = [];
    await upload(new File(['small'], 'small.txt'));
    await upload(new Blob([new Uint8Array(9_000_000)]), { onProgress: ({ sentBytes }) => progress.push(sentBytes) });
    const { id } = await upload(new Blob([new Uint8Array(9_000_000).fill(1)]).stream());
    const { size } = await (await files.download(id)).blob();
    const errors = [];
    for (const call of [upload('/etc/hosts'), files.save(id, '/tmp/x')]) await call.catch(({ message }) => errors.push(message));
    console.log(JSON.stringify({ size, errors, last: progress.at(-1) }));`;
  const args = ['--conditions=@runward/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: source });
  t.deepEqual(JSON.parse(stdout), {
    size: 9_000_000,
    errors: [
      'A path needs Node; use a Blob, a File or a stream here.',
      'Saving a file needs Node; use a Blob, a File or a stream here.',
    ],
    last: 9_000_000,
  });
  t.deepEqual(
    (await attached()).map(({ fileName, size }) => [fileName, size]),
    [
      ['file', 9_000_000],
      ['file', 9_000_000],
      ['small.txt', 5],
    ],
  );
});
