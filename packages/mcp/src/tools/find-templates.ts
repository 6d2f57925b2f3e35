import { z } from 'zod';
import { describeList, listArguments } from '../list-arguments.ts';
import { defineTool } from '../tool.ts';

/** Lists templates. */
export const findTemplates = defineTool({
  name: 'find_templates',
  title: 'Find templates',
  description:
    'Lists templates: the processes that runs can be launched of. Use describe_template next, to see what a launch needs.',
  scopes: ['templates:read'],
  effect: 'read',
  input: z.strictObject({
    name: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Text that the name contains. Default: all.' }),
    status: z
      .enum(['PUBLISHED', 'DRAFT', 'ARCHIVED'])
      .default('PUBLISHED')
      .meta({ description: 'Only PUBLISHED templates can be launched. Default: PUBLISHED.' }),
    ...listArguments,
  }),
  run: async ({ client }, query) => {
    const page = await client.templates.list(query);
    const templates = page.data.map(({ id, name, description, status }) => ({ id, name, status, description }));
    return { summary: describeList('template', page), data: { templates, nextCursor: page.nextCursor } };
  },
});
