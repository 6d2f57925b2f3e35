import type { Template } from '@runward/sdk';
import pLimit from 'p-limit';
import { callsAtOnce, type ConsoleRequest } from './console-page.ts';
import { ifExists } from './if-exists.ts';

/** The names of these templates. Those that are not among the `known` ones are read. */
export async function templateNames(
  { api }: Pick<ConsoleRequest, 'api'>,
  ids: readonly string[],
  known: readonly Pick<Template, 'id' | 'name'>[],
): Promise<(templateId: string) => string> {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const missing = new Set(ids.filter((id) => !names.has(id)));
  const found = await pLimit(callsAtOnce).map(missing, (id) => ifExists(api.templates.get(id)));
  for (const template of found) if (template) names.set(template.id, template.name);
  return (templateId) => names.get(templateId) ?? 'Deleted template';
}
