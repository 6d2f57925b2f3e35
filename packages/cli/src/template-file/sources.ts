import { caseFolded } from '@runward/engine';
import type { Client } from '@runward/sdk';
import { anyDirectory, directoryOf, type Directory, type Found } from './directory.ts';
import type { LookupEntry } from './template-file.ts';

/** The names by which a template file refers to data sources and their columns. Their ids differ between servers. */
export interface Sources extends Directory {
  /** Finds the id of a column by its name, ignoring case. An id is returned unchanged. */
  findColumn(source: string, name: string): Found;
}

/** Reads the data sources of the organization if they are needed. */
export async function readSources({ dataSources }: Client, isNeeded: boolean): Promise<Sources> {
  const all = isNeeded ? await Array.fromAsync(dataSources.list()) : [];
  const { find } = directoryOf(all, { kind: 'data source', remedy: 'create it' });
  const findColumn = (source: string, name: string): Found => {
    const owner = find(source);
    const columns = all.find(({ id }) => 'id' in owner && id === owner.id)?.columns ?? [];
    return directoryOf(columns, { kind: 'column', remedy: `add it to "${source}"` }).find(name);
  };
  const names = new Map(all.flatMap((source) => [source, ...source.columns].map(({ id, name }) => [id, name])));
  return { nameOf: (id) => names.get(id) ?? id, find, findColumn };
}

/** Accepts every name, for a file that is checked without a server. */
export function anySources(): Sources {
  const { nameOf, find } = anyDirectory();
  return {
    nameOf,
    find: (name) => find(name),
    findColumn: (source, name) => find(name, JSON.stringify([source, caseFolded(name)])),
  };
}

/** The errors in the names of a lookup, each with its path below the path of the lookup. */
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
