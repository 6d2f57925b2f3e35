import { randomUUID } from 'node:crypto';
import type { Client } from '@runward/sdk';
import { isId } from '../lookup/ids.ts';
import { similar } from '../lookup/similar.ts';
import { anySources, readSources, type Sources } from './sources.ts';

/** How a template file calls members (by email address), groups and data sources (by name), which have other ids on every server. */
export interface People {
  readonly users: Directory;
  readonly groups: Directory;
  readonly sources: Sources;
}

/** The records of one kind. */
export interface Directory {
  /** The name of a record; the id itself if there is none. */
  nameOf(id: string): string;
  /** The id of a record; an id stays as it is. A problem if no record has the name, or several have it. */
  find(name: string): { readonly id: string } | { readonly problem: string };
}

/** What of {@link People} a file or document names. */
export type NamedPeople = Readonly<Record<keyof People, boolean>>;

/** Reads what is needed of the members, groups and data sources of the organization. */
export async function readPeople(client: Client, needed: NamedPeople): Promise<People> {
  const [members, all, sources] = await Promise.all([
    needed.users ? Array.fromAsync(client.users.list()) : [],
    needed.groups ? Array.fromAsync(client.groups.list()) : [],
    readSources(client, needed.sources),
  ]);
  return {
    sources,
    users: directory(
      'member',
      'email address',
      members.map(({ id, email }) => [id, email]),
    ),
    groups: directory(
      'group',
      'name',
      all.map(({ id, name }) => [id, name]),
    ),
  };
}

/** Accepts every name, for a file that is checked without a server. */
export function anyPeople(): People {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const anyone: Directory = {
    nameOf: (id) => names.get(id) ?? id,
    find: (name) => {
      const id = ids.get(name) ?? randomUUID();
      ids.set(name, id);
      names.set(id, name);
      return { id };
    },
  };
  return { users: anyone, groups: anyone, sources: anySources() };
}

function directory(
  kind: string,
  nameKind: string,
  records: readonly (readonly [id: string, name: string])[],
): Directory {
  const names = new Map(records);
  // Email addresses are the same in any case; groups that differ in it only are different groups.
  const same = (one: string, other: string) =>
    kind === 'member' ? one.toLowerCase() === other.toLowerCase() : one === other;
  return {
    nameOf: (id) => names.get(id) ?? id,
    find: (name) => {
      if (isId(name)) return { id: name.toLowerCase() };
      const [found, ...others] = records.filter(([, each]) => same(each, name));
      if (found && others.length === 0) return { id: found[0] };
      if (found) return { problem: `several groups have the name "${name}"; rename the others` };
      const [closest] = similar(name, [...names.values()]);
      const remedy =
        closest === undefined ? 'add it to the organization or correct the file' : `did you mean ${closest}?`;
      return { problem: `no ${kind} has the ${nameKind} "${name}"; ${remedy}` };
    },
  };
}
