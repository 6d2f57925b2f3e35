import { caseFolded } from '@runward/engine';
import type { Client } from '@runward/sdk';
import { anyDirectory, directoryOf, type Directory, type Found } from './directory.ts';
import type { LookupEntry } from './template-file.ts';

/** How a template file calls data sources and their columns, which have other ids on every server. Columns have names, too. */
export interface Sources extends Directory {
  /** The id of a column of a data source, without regard to case; an id stays as it is. */
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
