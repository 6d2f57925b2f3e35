import type { Client } from '@runward/sdk';
import { notFound, usage } from '../errors.ts';
import { isId } from './ids.ts';
import { similar } from './similar.ts';

/**
 * The ID of a folder by its ID or its exact name.
 *
 * @throws CliError if no folder has the name, or several have it
 */
export async function findFolder({ folders }: Client, idOrName: string): Promise<string> {
  if (isId(idOrName)) return idOrName;
  const all = await Array.fromAsync(folders.list());
  const [found, ...others] = all.filter(({ name }) => name === idOrName.trim());
  if (found && others.length === 0) return found.id;
  if (found) {
    throw usage(`Several folders are named "${idOrName}"; use an ID:`, ...[found, ...others].map(({ id }) => id));
  }
  const names = similar(
    idOrName,
    all.map(({ name }) => name),
  );
  const hint =
    names.length > 0
      ? `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`
      : 'See: runward api GET /folders';
  throw notFound(`No folder is named "${idOrName}". ${hint}`);
}
