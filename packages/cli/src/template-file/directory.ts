import { randomUUID } from 'node:crypto';
import { isId, matching, similar } from '@runward/sdk/find';

/** What a name stands for, or what is wrong with it. */
export type Found = { readonly id: string } | { readonly problem: string };

/** The records of one kind. */
export interface Directory {
  /** The name of a record; the id itself if there is none. */
  nameOf(id: string): string;
  /** The id of a record; an id stays as it is. A problem if no record has the name, or several have it. */
  find(name: string): Found;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Texts {
  readonly kind: string;
  readonly nameKind?: string;
  /** What to do if no record has a name, besides correcting the file. */
  readonly remedy: string;
}

/** A directory of these records. */
export function directoryOf(records: readonly Named[], { kind, nameKind = 'name', remedy }: Texts): Directory {
  const names = new Map(records.map(({ id, name }) => [id, name]));
  return {
    nameOf: (id) => names.get(id) ?? id,
    find: (name) => {
      if (isId(name)) return { id: name.toLowerCase() };
      const [found, ...others] = matching(records, name, (record) => [record.name]);
      if (found && others.length === 0) return { id: found.id };
      if (found) return { problem: `several ${kind}s have the ${nameKind} "${name}"; rename the others` };
      const [closest] = similar(name, [...names.values()]);
      const hint = closest === undefined ? `${remedy} or correct the file` : `did you mean ${closest}?`;
      return { problem: `no ${kind} has the ${nameKind} "${name}"; ${hint}` };
    },
  };
}

/** A directory that accepts every name, for a file that is checked without a server. Names of one record have the same key. */
export function anyDirectory() {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  return {
    nameOf: (id: string) => names.get(id) ?? id,
    find: (name: string, key = name) => {
      const id = ids.get(key) ?? randomUUID();
      ids.set(key, id);
      names.set(id, name);
      return { id };
    },
  };
}
