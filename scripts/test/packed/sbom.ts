import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import type { TestFn } from 'ava';
import { copied } from '../../pack/copied.ts';
import type { LockEntry, LockFile } from '../../pack/lock-file.ts';
import type { Bom } from '../../pack/sbom.ts';

/**
 * Tests the checksums and the bill of materials that were packed with the service, in the folder where it is installed.
 */
export function testSbom(test: TestFn, folder: string): void {
  const text = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
  const bom = JSON.parse(text) as Bom;
  const lockIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as LockFile).packages;
  const lock = lockIn(join(folder, 'package-lock.json'));

  test('the checksums are those of all packed files', (t) => {
    const output = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    const checked = output.trimEnd().split('\n');
    t.true(checked.every((line) => line.endsWith(': OK')));
    const files = readdirSync(folder).filter((name) => /\.(?:tgz|json)$/.test(name));
    t.deepEqual(checked.map((line) => line.replace(': OK', '')).toSorted(), files.toSorted());
  });

  test('the bill of materials has every package of the lock file once, with its version and license', (t) => {
    const locked = Object.entries(lock).flatMap(([place, { version = '' }]) => {
      const [, name = ''] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
      return place === '' ? [] : [`${name}@${version}`];
    });
    t.true(locked.length > 200);
    t.deepEqual(bom.components.map((each) => each['bom-ref']).toSorted(), [...new Set(locked)].toSorted());
    for (const { name, version, licenses = [], components = [] } of bom.components) {
      t.true(version !== '' && licenses.length > 0, name);
      t.true(
        components.every((each) => each.version !== '' && (each.licenses ?? []).length > 0),
        name,
      );
    }
  });

  test('the bill of materials has no dependency of the development, except what packages contain', (t) => {
    const ofRepository = Object.entries(lockIn(join(repository, 'package-lock.json')));
    const onlyDeveloping = ofRepository.filter(([, entry]) => (entry as LockEntry & { dev?: boolean }).dev === true);
    t.true(onlyDeveloping.length > 100);
    const listed = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
    const productive = new Set(ofRepository.filter((each) => !onlyDeveloping.includes(each)).map(nameOf));
    t.deepEqual(
      onlyDeveloping.map(nameOf).filter((name) => listed.has(name) && !productive.has(name)),
      [],
    );
    const contents = bom.components.flatMap(({ components = [] }) => components.map(({ name }) => name));
    t.deepEqual(contents.toSorted(), [...(copied['pdf'] ?? []), ...(copied['server'] ?? [])].toSorted());
  });

  test('the bill of materials names no folder of the machine, and no host from which packages come', (t) => {
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    for (const place of [folder, repository, new URL(registry).host]) {
      t.false(text.includes(place), place);
    }
    t.notRegex(text, /"(?:file:|\/|[A-Z]:)/);
    const urls = bom.components.flatMap(({ externalReferences = [] }) => externalReferences.map(({ url }) => url));
    t.true(urls.length > 0);
    t.deepEqual(
      urls.filter((url) => !/^runward-[\w.-]+\.tgz$/.test(url)),
      [],
    );
  });
}

function nameOf([place, { version = '' }]: readonly [string, LockEntry]): string {
  return `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}
