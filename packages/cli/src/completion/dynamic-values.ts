import { hash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@runward/sdk';
import type { Io } from '../io.ts';
import { resolveConnection } from '../profiles/connection.ts';
import { readProfiles } from '../profiles/store.ts';
import type { Suggestion } from './suggest.ts';

/** What the server, or the stored profiles, know. */
export type Subject = 'profiles' | 'runs' | 'templates' | 'webhooks';

/** A record: its ID and the name that people know it by. */
interface Found extends Suggestion {
  readonly id: string;
}

/**
 * The default timeout without --timeout, and how long a response is reused. A key press must not block, and repeated
 * presses ask for the same names.
 */
const defaultTimeoutMs = 1_500;
const cachedMs = 15_000;
const mostSuggestions = 100;

/** The names of records for completion. Empty without a connection or after an error. */
export async function dynamicValues(subject: Subject, io: Io, words: readonly string[]): Promise<Suggestion[]> {
  try {
    const stored = await readProfiles(io);
    if (subject === 'profiles') {
      return Object.entries(stored.profiles).map(([value, { baseUrl }]) => ({ value, description: baseUrl }));
    }
    const flags = { profile: flagOf(words, '--profile'), baseUrl: flagOf(words, '--base-url') };
    const { baseUrl, apiKey } = resolveConnection({ flags, env: io.env, stored });
    const key = hash('sha256', `${baseUrl}\n${apiKey}\n${subject}`);
    const file = io.cacheDirectory === undefined ? null : join(io.cacheDirectory, 'completion', `${key}.json`);
    const known = file && (await readCached(file));
    if (known) return known.map(toSuggestion(io));
    const { createClient } = await import('@runward/sdk');
    const timeoutMs = Number(flagOf(words, '--timeout')) * 1_000 || defaultTimeoutMs;
    const client = createClient({ baseUrl, apiKey, timeoutMs, maxRetries: 0 });
    const found = await fetchers[subject](client);
    // The directory may be read-only.
    if (file) await writeCached(file, found).catch(() => {});
    return found.map(toSuggestion(io));
  } catch {
    // A message would be written into the line that is being typed.
    return [];
  }
}

const fetchers: Readonly<Record<Exclude<Subject, 'profiles'>, (client: Client) => Promise<Found[]>>> = {
  async runs({ runs }) {
    const { data } = await runs.list({ limit: mostSuggestions });
    return [
      { id: '@last', value: '@last', description: 'the newest run' },
      ...data.map(({ id, publicId, title, status }) => ({ id, value: publicId, description: `${title} (${status})` })),
    ];
  },
  async templates({ templates }) {
    const { data } = await templates.list({ limit: mostSuggestions });
    return data.map(({ id, name, status }) => ({ id, value: name, description: status }));
  },
  async webhooks({ webhooks }) {
    const { data } = await webhooks.list({ limit: mostSuggestions });
    return data.map(({ id, name, url }) => ({ id, value: name, description: url }));
  },
};

/**
 * The scripts name their shell, and that shell quotes names. Any other caller gets the ID if a name would need quotes.
 */
function toSuggestion({ env }: Io): (found: Found) => Suggestion {
  return ({ id, value, description }) => {
    const isPlain = env['RUNWARD_COMPLETION'] === undefined ? /^[\w@.+-]+$/.test(value) : !/\p{Cc}/u.test(value);
    return isPlain ? { value, description } : { value: id, description: value };
  };
}

function flagOf(words: readonly string[], flag: string): string | undefined {
  const index = words.indexOf(flag);
  return index === -1 ? words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : words[index + 1];
}

async function readCached(file: string): Promise<Found[] | null> {
  const found = await stat(file).catch(() => null);
  if (!found || Date.now() - found.mtimeMs > cachedMs) return null;
  return JSON.parse(await readFile(file, 'utf8')) as Found[];
}

/** Only the user can read the file, as it has names of the organization. */
async function writeCached(file: string, found: readonly Found[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  await writeFile(written, JSON.stringify(found), { mode: 0o600 });
  await rename(written, file);
}
