import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { missing, usage } from '../errors.ts';
import { isId, similar } from './ids.ts';

/** A template as the API answers it. */
export type Template = Response<Contract['templates']['get']>;

/**
 * The template of an id, or of exactly that name.
 *
 * @throws CliError when no template has the name, or several have it
 */
export async function findTemplate({ templates }: Client, idOrName: string): Promise<Template> {
  if (isId(idOrName)) return templates.get(idOrName);
  const all = await Array.fromAsync(templates.list());
  const [found, ...others] = all.filter((template) => template.name === idOrName.trim());
  if (found && others.length === 0) return found;
  if (found) {
    const ids = [found, ...others].map(({ id, status }) => `${id} (${status})`);
    throw usage(`Several templates are named "${idOrName}"; use an id:`, ...ids);
  }
  const names = similar(
    idOrName,
    all.map(({ name }) => name),
  );
  const hint =
    names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?` : 'See: runward templates list';
  throw missing(`There is no template named "${idOrName}". ${hint}`);
}
