import type { Client } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/**
 * The ID of a folder by its ID or its exact name.
 *
 * @throws CliError if no folder has the name, or several have it
 */
export async function findFolder({ folders }: Client, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName;
  const all = await Array.fromAsync(folders.list());
  return byName(all, idOrName, { kind: 'folder', list: 'runward folders list' }).id;
}
