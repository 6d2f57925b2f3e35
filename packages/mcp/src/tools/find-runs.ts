import { contract, runSorts, runStatuses } from '@runward/contract';
import { findValueFilters } from '@runward/sdk/find';
import { z } from 'zod';
import { describeList, listArguments } from '../list-arguments.ts';
import { findRecordId } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';

const { search, scheduledFrom, scheduledTo, createdFrom, createdTo, stalledForDays } = contract.runs.list.query.shape;

/** Lists runs. */
export const findRuns = defineTool({
  name: 'find_runs',
  title: 'Find runs',
  description:
    'Lists runs, newest first, by filters that are combined with AND. RUNNING and OVERDUE runs are active. For the tasks of one run, use get_run; ' +
    'for figures of many runs, summarize_runs.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({
    title: search.meta({ description: 'Text that the title contains. Default: all.' }),
    template: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'The id or the name of their template. Default: all.' }),
    statuses: z
      .array(z.enum(runStatuses))
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Default: all.' }),
    owner: z
      .string()
      .optional()
      .meta({ description: 'Email address, name or id of the member who owns them. Default: all.' }),
    assignee: z
      .string()
      .optional()
      .meta({ description: 'Email address, name or id of a member who has a task in them. Default: all.' }),
    values: z
      .array(z.string().max(600, 'must be at most 600 characters'))
      .max(5, 'must contain at most 5 conditions')
      .optional()
      .meta({
        description:
          'Conditions on what was filled in, in searchable fields and flow variables: a name, one of = ~ > < >= <= and a value, like ' +
          '`Amount>10000`, `Supplier~acme` (contains), `Due=2026-03-01` or `Supplier=` (empty). An unknown name gets the names there are. Default: all.',
      }),
    scheduledFrom,
    scheduledTo,
    createdFrom,
    createdTo,
    stalledForDays,
    archived: z.boolean().default(false).meta({ description: 'true: only archived runs. Default: false.' }),
    sort: z.enum(runSorts).optional().meta({ description: 'With `-` in front: descending. Default: `-createdAt`.' }),
    ...listArguments,
  }),
  run: async (context, { title, template, statuses, owner, assignee, values, ...rest }) => {
    const templateIds = template === undefined ? undefined : [await findRecordId(context, 'template', template)];
    const filters = await findValueFilters(context.client, values ?? [], templateIds);
    const page = await context.client.runs.list({
      ...rest,
      total: 'bounded',
      search: title,
      statuses,
      templateIds,
      values: filters.length > 0 ? JSON.stringify(filters) : undefined,
      ownerUserIds: owner === undefined ? undefined : [await findRecordId(context, 'member', owner)],
      assigneeIds: assignee === undefined ? undefined : [await findRecordId(context, 'member', assignee)],
    });
    const runs = page.data.map(({ id, publicId, title: own, status, scheduledDateLocal, createdAt, completedAt }) => ({
      publicId,
      title: own,
      status,
      scheduledDate: scheduledDateLocal,
      launchedAt: createdAt,
      completedAt,
      runId: id,
    }));
    return { summary: describeList('run', page), data: { runs, nextCursor: page.nextCursor } };
  },
});
