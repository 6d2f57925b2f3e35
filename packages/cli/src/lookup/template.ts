import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

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
  return byName(all, idOrName, { kind: 'template', list: 'runward templates list', detail: ({ status }) => status });
}
