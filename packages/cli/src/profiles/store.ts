import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failure } from '../errors.ts';
import { hasCode, unreadable, unwritable } from '../file-errors.ts';
import type { Io } from '../io.ts';

/** A server and the API key to use with it. */
export interface Profile {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The profiles stored by `runward login`, by name; `current` is the default. */
export interface Profiles {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The profiles before the first login. */
export const noProfiles: Profiles = { current: null, profiles: {} };

/** The profiles file: RUNWARD_CONFIG, or `profiles.json` in the settings directory of the platform. */
export function profilesPath({ env, cwd, configDirectory }: Io): string {
  return env['RUNWARD_CONFIG'] ? resolve(cwd, env['RUNWARD_CONFIG']) : join(configDirectory, 'profiles.json');
}

/**
 * Reads the stored profiles. Empty if the file does not exist.
 *
 * @throws CliError if the file cannot be read or is corrupt
 */
export async function readProfiles(io: Io): Promise<Profiles> {
  const path = profilesPath(io);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return noProfiles;
    throw unreadable(path, error);
  }
  const profiles = parse(text);
  if (profiles) return profiles;
  throw failure(`${path} is corrupt. Correct it, or delete it and run: runward login`);
}

/** Whether other users of this machine can read the stored API keys. */
export async function isExposed(io: Io): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const { mode } = await stat(profilesPath(io)).catch(() => ({ mode: 0 }));
  return (mode & 0o077) !== 0;
}

/**
 * Replaces the stored profiles atomically. Only the owner can read the file.
 *
 * @throws CliError if the file cannot be written
 */
export async function writeProfiles(io: Io, profiles: Profiles): Promise<void> {
  const path = profilesPath(io);
  const draft = `${path}.${process.pid}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flush: true });
    // If an earlier process left a draft behind, it kept that file's mode.
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw unwritable(path, error, 'Set RUNWARD_CONFIG to use another file.');
  }
}

/** Removes a profile. If it was the current one, no profile is current afterwards. */
export function withoutProfile({ current, profiles }: Profiles, name: string): Profiles {
  const { [name]: _, ...rest } = profiles;
  return { current: current === name ? null : current, profiles: rest };
}

/** An API key for display: only its last four characters. */
export function masked(apiKey: string): string {
  return `sk_live_…${apiKey.slice(-4)}`;
}

function parse(text: string): Profiles | null {
  try {
    const { current, profiles }: Partial<Profiles> = JSON.parse(text);
    const all = Object.entries(profiles ?? {});
    const isValid = all.every(([, { baseUrl, apiKey }]) => URL.canParse(baseUrl) && typeof apiKey === 'string');
    return isValid ? { current: current ?? null, profiles: Object.fromEntries(all) } : null;
  } catch {
    return null;
  }
}
