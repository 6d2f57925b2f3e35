import { execFile } from 'node:child_process';
import { cp, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { loadIfInstalled, MissingPackageError } from '../../installation/optional-package.ts';
import { run } from './unprivileged.ts';

/** Paths of the PostgreSQL programs, which the user of PostgreSQL can run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, such as `18`. Database files work with exactly one major version. */
  readonly major: string;
}

/**
 * Makes the programs of a folder usable. If their user cannot run them there (a clone in a private home directory, a
 * read-only installation without its links), they are copied into `home`.
 */
export async function prepareBinaries(folder: string, home: string): Promise<Binaries> {
  await restoreLinks(folder);
  try {
    return await tryPrograms(folder);
  } catch {
    return tryPrograms(await copyPrograms(folder, home)).catch((cause: Error) => {
      const remedy = 'Install PostgreSQL yourself and set DATABASE_URL.';
      throw new Error(`The PostgreSQL that npm installed does not run on this system. ${remedy} ${cause.message}`, {
        cause,
      });
    });
  }
}

/**
 * The folder of the PostgreSQL programs that npm installed. Throws an error that says what to do if they are missing.
 */
export async function locatePrograms(): Promise<string> {
  const name = '@runward/embedded-postgres';
  const installed = await loadIfInstalled(name, () => import('@runward/embedded-postgres'));
  if (installed !== null) return installed.locatePrograms();
  throw new MissingPackageError(name, {
    setting: 'DATABASE_URL',
    need: 'the embedded PostgreSQL',
    instead: 'give the URL of a PostgreSQL',
  });
}

/**
 * Creates the links between shared libraries, which npm packages cannot contain. An install script usually creates
 * them, but many hosts block install scripts. Failures are ignored here, because they appear when the programs are
 * tried.
 */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => {});
  }
}

async function tryPrograms(folder: string): Promise<Binaries> {
  const [postgres, initdb] = [join(folder, 'native', 'bin', 'postgres'), join(folder, 'native', 'bin', 'initdb')];
  const version = await run(postgres, ['--version']);
  return { postgres, initdb, major: /\d+/.exec(version)?.[0] ?? version };
}

/**
 * Copies the programs with their libraries and returns their folder. Done at every start, to have the right version.
 */
async function copyPrograms(folder: string, home: string): Promise<string> {
  const copy = join(home, 'programs');
  await rm(copy, { recursive: true, force: true });
  await cp(join(folder, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
  await restoreLinks(copy);
  await promisify(execFile)('chmod', ['-R', 'a+rX', copy]);
  return copy;
}
