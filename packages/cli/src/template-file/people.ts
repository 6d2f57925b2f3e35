import type { Client } from '@runward/sdk';
import { anyDirectory, directoryOf, type Directory } from './directory.ts';
import { anySources, readSources, type Sources } from './sources.ts';

/**
 * The names by which a template file refers to members (email address), groups and data sources. Their ids differ
 * between servers.
 */
export interface People {
  readonly users: Directory;
  readonly groups: Directory;
  readonly sources: Sources;
}

/** What of {@link People} a file or document names. */
export type NamedPeople = Readonly<Record<keyof People, boolean>>;

/** Reads the members, groups and data sources of the organization that are needed. */
export async function readPeople(client: Client, needed: NamedPeople): Promise<People> {
  const [members, all, sources] = await Promise.all([
    needed.users ? Array.fromAsync(client.users.list()) : [],
    needed.groups ? Array.fromAsync(client.groups.list()) : [],
    readSources(client, needed.sources),
  ]);
  return {
    sources,
    users: directoryOf(
      members.map(({ id, email }) => ({ id, name: email })),
      { kind: 'member', nameKind: 'email address', remedy: 'add it to the organization' },
    ),
    groups: directoryOf(all, { kind: 'group', remedy: 'add it to the organization' }),
  };
}

/** Accepts every name, for a file that is checked without a server. */
export function anyPeople(): People {
  const anyone: Directory = anyDirectory();
  return { users: anyone, groups: anyone, sources: anySources() };
}
