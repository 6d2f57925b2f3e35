import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../tool-error.ts';

/** Where a server and its key can come from. */
export interface ConnectionSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The profile that the command line names. */
  readonly profile: string | undefined;
  /** The folder of the profiles file, unless RUNWARD_CONFIG names another file. */
  readonly configDirectory: string;
}

/** A server, and the API key for it. Without a URL, the SDK uses its default. */
export interface Connection {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
}

/** The file that `runward login` writes. */
const profilesFile = z.object({
  current: z.string().nullish(),
  profiles: z.record(z.string(), z.object({ baseUrl: z.url(), apiKey: z.string() })),
});

/**
 * Chooses the server and the API key: from the named profile, else from the environment, else from the current profile.
 * The key of a profile is sent only to the server of that profile.
 *
 * @throws ToolError if there is no key or no such profile, or if the key of a profile belongs to another server
 */
export async function findConnection({ env, profile: named, configDirectory }: ConnectionSources): Promise<Connection> {
  const { RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: baseUrl, RUNWARD_PROFILE: preferred } = env;
  if (named === undefined && apiKey) return { apiKey, baseUrl: baseUrl || undefined };
  const path = env['RUNWARD_CONFIG'] ? resolve(env['RUNWARD_CONFIG']) : join(configDirectory, 'profiles.json');
  const { current, profiles } = await readProfiles(path);
  const name = named ?? (preferred || current || undefined);
  if (name === undefined)
    throw new ToolError('No API key. Set RUNWARD_API_KEY, or store a profile with: runward login');
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile) {
    const names = Object.keys(profiles).join(', ') || 'none';
    throw new ToolError(
      `${path} has no profile "${name}". Its profiles: ${names}. Create it with: runward login --profile ${name}`,
    );
  }
  if (named === undefined && baseUrl && originOf(baseUrl) !== originOf(profile.baseUrl)) {
    throw new ToolError(
      `The API key of the profile "${name}" belongs to ${profile.baseUrl} and is not sent to ${baseUrl}. Unset RUNWARD_BASE_URL, or also set RUNWARD_API_KEY.`,
    );
  }
  return profile;
}

async function readProfiles(path: string): Promise<z.output<typeof profilesFile>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{ "profiles": {} }';
    throw new ToolError(`${path} cannot be read: ${error.message}. Check its permissions, or set RUNWARD_API_KEY.`);
  });
  try {
    return profilesFile.parse(JSON.parse(text));
  } catch {
    throw new ToolError(`${path} is corrupt. Correct it, or delete it and run: runward login`);
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
