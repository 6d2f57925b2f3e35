import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { failure } from '../errors.ts';

/** A server and the key it is used with. */
export interface Profile {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Everything that `runward login` stored; `current` is used when nothing else is said. */
export interface Profiles {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** What is stored before the first login. */
export const noProfiles: Profiles = { current: null, profiles: {} };

/** Where profiles are kept: RUNWARD_CONFIG, else the usual place for settings of the platform. */
export function profilesPath(): string {
  return process.env['RUNWARD_CONFIG'] || join(envPaths('runward', { suffix: '' }).config, 'profiles.json');
}

/** Reads the stored profiles; none when there is no file yet. */
export async function readProfiles(): Promise<Profiles> {
  const path = profilesPath();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return noProfiles;
    throw failure(`${path} cannot be read: ${reason(error)}.`);
  }
  const profiles = parse(text);
  if (profiles) return profiles;
  throw failure(`${path} is damaged. Correct it, or delete it and run: runward login`);
}

/** Whether others on this machine may read the stored keys. */
export async function isExposed(): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const { mode } = await stat(profilesPath()).catch(() => ({ mode: 0 }));
  return (mode & 0o077) !== 0;
}

/** Replaces the stored profiles at once, readable by their owner only; a reader sees the old file or the new one. */
export async function writeProfiles(profiles: Profiles): Promise<void> {
  const path = profilesPath();
  const draft = `${path}.${process.pid}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flush: true });
    // A draft that an earlier process left behind keeps its own mode.
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw failure(`${path} cannot be written: ${reason(error)}. RUNWARD_CONFIG may name another file.`);
  }
}

/** The profiles without one of them; where it was the current one, none is current any more. */
export function withoutProfile({ current, profiles }: Profiles, name: string): Profiles {
  const { [name]: _, ...rest } = profiles;
  return { current: current === name ? null : current, profiles: rest };
}

/** A key as it may be shown: its last four characters. */
export function masked(apiKey: string): string {
  return `sk_live_…${apiKey.slice(-4)}`;
}

function parse(text: string): Profiles | null {
  try {
    const { current, profiles }: Partial<Profiles> = JSON.parse(text);
    const all = Object.entries(profiles ?? {});
    const sound = all.every(([, { baseUrl, apiKey }]) => URL.canParse(baseUrl) && typeof apiKey === 'string');
    return sound ? { current: current ?? null, profiles: Object.fromEntries(all) } : null;
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
