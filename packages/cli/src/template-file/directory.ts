import { randomUUID } from 'node:crypto';
import { isId, matching, similar } from '@runward/sdk/find';

/** The id that a name refers to, or the problem. */
export type Found = { readonly id: string } | { readonly problem: string };

/** The records of one kind. */
export interface Directory {
  /** The name of a record. The id itself if it has no name. */
  nameOf(id: string): string;
  /** The id of a record by its name; an id is returned unchanged. A problem if the name fits no record, or several. */
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

/** A directory that accepts every name, for checking a file without a server. Names of one record have the same key. */
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
