import { z } from 'zod';
import { nameRun } from '../describe-run.ts';
import { describeList, listArguments } from '../list-arguments.ts';
import { findRun } from '../lookup/find.ts';
import { readPeople } from '../lookup/people.ts';
import { defineTool } from '../tool.ts';
import { runArgument } from './get-run.ts';

/** Lists what people say about a run and its tasks. */
export const listComments = defineTool({
  name: 'list_comments',
  title: 'List the comments on a run',
  description:
    'Lists what people say about a run and its tasks, newest first: who, when, on which task. Texts are Markdown.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({ run: runArgument, ...listArguments }),
  run: async (context, { run: text, ...query }) => {
    const { client } = context;
    const run = await findRun(client, text);
    const page = await client.runs.comments.list(run.id, { ...query, sort: '-createdAt' });
    const people = await readPeople(
      context,
      page.data.map(({ author }) => author.userId),
    );
    const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
    const comments = page.data.map(({ createdAt, author, runTaskId, text: said }) => ({
      at: createdAt,
      by: author.userId === null ? author.type : people.nameOf(author.userId),
      task: runTaskId === null ? null : (titles.get(runTaskId) ?? runTaskId),
      text: said,
    }));
    return {
      summary: `${nameRun(run)}: ${describeList('comment', page)}`,
      data: { comments, nextCursor: page.nextCursor },
    };
  },
});
