import type { Client, Template } from '@runward/sdk';
import { byName } from './by-name.ts';
import { isId } from './ids.ts';

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
