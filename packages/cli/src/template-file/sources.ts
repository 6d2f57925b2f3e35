import { randomUUID } from 'node:crypto';
import type { Client } from '@runward/sdk';
import { isId } from '../lookup/ids.ts';
import { similar } from '../lookup/similar.ts';
import type { LookupEntry } from './template-file.ts';

/** What a name stands for, or what is wrong with it. */
type Found = { readonly id: string } | { readonly problem: string };

/** How a template file calls data sources and their columns, which have other ids on every server. */
export interface Sources {
  /** The name of a data source or column; the id itself if there is none. */
  nameOf(id: string): string;
  /** The id of a data source; an id stays as it is. A problem if none has the name, or several have it. */
  find(name: string): Found;
  /** The id of a column of a data source, without regard to case; an id stays as it is. */
  findColumn(source: string, name: string): Found;
}

interface Source {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly { readonly id: string; readonly name: string }[];
}

/** Reads the data sources of the organization if they are needed. */
export async function readSources({ dataSources }: Client, isNeeded: boolean): Promise<Sources> {
  const all: readonly Source[] = isNeeded ? await Array.fromAsync(dataSources.list()) : [];
  const names = new Map(all.flatMap((source) => [source, ...source.columns].map(({ id, name }) => [id, name])));
  const find = (name: string): Found => {
    if (isId(name)) return { id: name.toLowerCase() };
    const [found, ...others] = all.filter((source) => source.name === name);
    if (found && others.length > 0)
      return { problem: `several data sources have the name "${name}"; rename the others` };
    return found ?? unknown('data source', name, all, 'create it');
  };
  const findColumn = (source: string, name: string): Found => {
    if (isId(name)) return { id: name.toLowerCase() };
    const owner = find(source);
    const columns = all.find(({ id }) => 'id' in owner && id === owner.id)?.columns ?? [];
    const found = columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    return found ?? unknown('column', name, columns, `add it to "${source}"`);
  };
  return { nameOf: (id) => names.get(id) ?? id, find, findColumn };
}

/** Accepts every name, for a file that is checked without a server. */
export function anySources(): Sources {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  const idOf = (name: string, key = name) => {
    const id = ids.get(key) ?? randomUUID();
    ids.set(key, id);
    names.set(id, name);
    return { id };
  };
  return {
    nameOf: (id) => names.get(id) ?? id,
    find: (name) => idOf(name),
    findColumn: (source, name) => idOf(name, JSON.stringify([source, name.toLowerCase()])),
  };
}

/** The errors of what a look-up names, each with its path below that of the look-up. */
export function lookupErrors(
  { dataSource, labelColumn, autoFill }: LookupEntry,
  path: string,
  sources: Sources,
): string[] {
  const source = sources.find(dataSource);
  if ('problem' in source) return [`${path}.dataSource: ${source.problem}`];
  const columns = [
    { at: 'labelColumn', name: labelColumn },
    ...autoFill.map(({ column: name }, index) => ({ at: `autoFill[${index}].column`, name })),
  ];
  return columns.flatMap(({ at, name }) => {
    const found = sources.findColumn(dataSource, name);
    return 'problem' in found ? [`${path}.${at}: ${found.problem}`] : [];
  });
}

function unknown(kind: string, name: string, all: readonly { readonly name: string }[], remedy: string): Found {
  const [closest] = similar(
    name,
    all.map((each) => each.name),
  );
  return {
    problem: `no ${kind} has the name "${name}"; ${closest === undefined ? `${remedy} or correct the file` : `did you mean ${closest}?`}`,
  };
}
