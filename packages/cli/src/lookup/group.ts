import type { Client } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

/**
 * The ID of a group by its ID or its exact name.
 *
 * @throws CliError if no group has the name, or several have it
 */
export async function findGroupId({ groups }: Client, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName.toLowerCase();
  return byName(await Array.fromAsync(groups.list()), idOrName, { kind: 'group', list: 'runward groups list' }).id;
}
