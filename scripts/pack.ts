/**
 * Packs the service, or the named packages, into a folder: `npm run pack -- FOLDER [PACKAGE ...]`, such as `npm run
 * pack -- packed server`. There `npm ci` installs them with the versions of this repository's lock file. The folder
 * gets the archives of these packages and of those that they require, a manifest, and a lock file.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packagesOf, type LockFile } from './pack/lock-file.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const manifestOf = (name: string) => read(`packages/${name}/package.json`) as Manifest;

const [given = '', ...named] = process.argv.slice(2);
if (given === '') {
  console.error('Name the folder: npm run pack -- FOLDER [PACKAGE ...]');
  process.exit(2);
}
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
for (const archive of globSync('runward-*.tgz', { cwd: folder })) rmSync(join(folder, archive));

const names = new Set(named.length > 0 ? named : ['server']);
// A loop over a set also visits items that are added meanwhile.
for (const name of names) {
  for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
    if (dependency.startsWith('@runward/')) names.add(dependency.replace('@runward/', ''));
  }
}
const workspaces = [...names].flatMap((name) => ['--workspace', `packages/${name}`]);
execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...workspaces], { cwd: root, stdio: 'inherit' });

const archives = [...names].map((name) => {
  const file = `runward-${name}-${manifestOf(name).version}.tgz`;
  const hash = createHash('sha512').update(readFileSync(join(folder, file)));
  return { folder: name, resolved: `file:${file}`, integrity: `sha512-${hash.digest('base64')}` };
});
const manifest = {
  name: 'runward-installation',
  private: true,
  dependencies: Object.fromEntries(archives.map((archive) => [`@runward/${archive.folder}`, archive.resolved])),
  overrides: (read('package.json') as Manifest).overrides,
};
const lock = read('package-lock.json') as LockFile;
const { name, dependencies } = manifest;
const packages = { '': { name, dependencies }, ...packagesOf(archives, lock) };
write('package.json', manifest);
write('package-lock.json', { name, lockfileVersion: lock.lockfileVersion, requires: true, packages });

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
}
