import { contract } from '@runward/contract';
import { z } from 'zod';
import { findRecordId } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';

const { from, to } = contract.analytics.summary.query.shape;

/** Figures of the runs of a period. */
export const summarizeRuns = defineTool({
  name: 'summarize_runs',
  title: 'Summarize runs',
  description:
    'Returns figures of the runs launched in a period: numbers by status, rates, how long completed runs took, overdue tasks, and the period ' +
    'before for comparison. Rates are fractions; times are in seconds.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({
    from,
    to,
    template: z.string().optional().meta({ description: 'The id or the name of a template. Default: all.' }),
  }),
  run: async (context, { template, ...period }) => {
    const templateId = template === undefined ? undefined : await findRecordId(context, 'template', template);
    const { perDay: _, range, ...figures } = await context.client.analytics.summary({ ...period, templateId });
    const { total, overdueTasks } = figures;
    return {
      summary: `Runs launched from ${range.from} to ${range.to} (${range.timeZone}): ${total}. Overdue tasks: ${overdueTasks}.`,
      data: { ...range, ...figures },
    };
  },
});
