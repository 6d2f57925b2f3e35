import type { Template } from '@runward/sdk';
import type { ToolContext } from '../tool.ts';
import { choose } from './choose.ts';
import { ensureLookup } from './ensure-lookup.ts';
import { isId } from './ids.ts';

/**
 * A template by its id or its name. A published one is preferred to others of the same name.
 *
 * @throws ToolError if none or several have the name
 */
export async function findTemplate({ client }: ToolContext, text: string): Promise<Template> {
  if (isId(text)) return client.templates.get(text);
  const { data } = await client.templates.list({ name: text.trim(), limit: 200 });
  const published = data.filter(({ status }) => status === 'PUBLISHED');
  return choose(published.length > 0 ? published : data, {
    kind: 'template',
    text,
    nameOf: ({ name }) => name,
    show: ({ id, name, status }) => `${id}  ${name} (${status})`,
    remedy: 'List the templates with find_templates.',
  });
}

/**
 * The id of a template by its id or its name. Only a name needs the scope `templates:read`.
 *
 * @throws ToolError if none or several have the name, or if the key cannot look names up
 */
export async function findTemplateId(context: ToolContext, text: string): Promise<string> {
  if (isId(text)) return text.toLowerCase();
  ensureLookup(context, 'templates:read', 'template', text);
  return (await findTemplate(context, text)).id;
}
