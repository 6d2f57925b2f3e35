import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { notFound, usage } from '../errors.ts';
import { isId } from './ids.ts';
import { similar } from './similar.ts';

/** A template, as the API returns it. */
export type Template = Response<Contract['templates']['get']>;

/**
 * A template by its ID or its exact name.
 *
 * @throws CliError if no template has the name, or several have it
 */
export async function findTemplate({ templates }: Client, idOrName: string): Promise<Template> {
  if (isId(idOrName)) return templates.get(idOrName);
  const all = await Array.fromAsync(templates.list());
  const [found, ...others] = all.filter((template) => template.name === idOrName.trim());
  if (found && others.length === 0) return found;
  if (found) {
    const ids = [found, ...others].map(({ id, status }) => `${id} (${status})`);
    throw usage(`Several templates are named "${idOrName}"; use an ID:`, ...ids);
  }
  const names = similar(
    idOrName,
    all.map(({ name }) => name),
  );
  const hint =
    names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?` : 'See: runward templates list';
  throw notFound(`No template is named "${idOrName}". ${hint}`);
}
