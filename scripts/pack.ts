/**
 * Packs the service, or the named packages, into a folder: `npm run pack -- FOLDER [PACKAGE ...]`, such as `npm run
 * pack -- packed server`. There `npm ci` installs them with the versions of this repository's lock file. The folder
 * gets the archives of these packages and of those that they require, a manifest, a lock file, a bill of materials
 * (`sbom.cdx.json`), and the checksums of all these files (`SHA256SUMS`). `SOURCE_DATE_EPOCH` dates the bill; without
 * it, it has no time, so that packing the same commit again gives the same files.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { copied } from './pack/copied.ts';
import { packagesOf, type LockFile } from './pack/lock-file.ts';
import { completeBom, type Bom } from './pack/sbom.ts';

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
  const integrity = `sha512-${hashOf(file, 'sha512').toString('base64')}`;
  return { folder: name, file, resolved: `file:${file}`, integrity };
});
const manifest = {
  name: 'runward-installation',
  version: (read('lerna.json') as Manifest).version,
  private: true,
  dependencies: Object.fromEntries(archives.map((archive) => [`@runward/${archive.folder}`, archive.resolved])),
  overrides: (read('package.json') as Manifest).overrides,
};
const lock = read('package-lock.json') as LockFile;
const { name, version, dependencies } = manifest;
const packages = { '': { name, version, dependencies }, ...packagesOf(archives, lock) };
write('package.json', manifest);
write('package-lock.json', { name, version, lockfileVersion: lock.lockfileVersion, requires: true, packages });

const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
const bom = JSON.parse(execFileSync('npm', sbom, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })) as Bom;
const { SOURCE_DATE_EPOCH } = process.env;
const at = SOURCE_DATE_EPOCH === undefined ? null : Number(SOURCE_DATE_EPOCH);
write('sbom.cdx.json', completeBom(bom, { name, lock, licenseAt, copied, at }));

const packed = ['package.json', 'package-lock.json', 'sbom.cdx.json', ...archives.map(({ file }) => file)];
const sums = packed.toSorted().map((file) => `${hashOf(file, 'sha256').toString('hex')}  ${file}\n`);
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));

/** The license in the way that old manifests state it. */
function licenseAt(place: string): string | null {
  const path = `${place}/package.json`;
  if (!existsSync(join(root, path))) return null;
  const { licenses = [] } = read(path) as { readonly licenses?: readonly { readonly type: string }[] };
  return licenses[0]?.type ?? null;
}

function hashOf(file: string, algorithm: 'sha256' | 'sha512'): Buffer {
  return createHash(algorithm)
    .update(readFileSync(join(folder, file)))
    .digest();
}

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
}
