import type { Client, Mentions } from '@runward/sdk';
import { find, isFindError } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { findTask } from '../../lookup/run-task.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { collect, examples } from '../../options.ts';
import { layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { readText } from '../../terminal/input.ts';

interface CommentOptions {
  readonly task?: string;
  readonly mention?: readonly string[];
  readonly file?: string;
}

const comment = layout('Comment', ['id', 'runTaskId', 'text', 'mentions', 'createdAt']);

/** `runward runs comment`. */
export function commentOnRun(runs: Command, action: Action): void {
  runs
    .command('comment')
    .argument('<run>', runArgument)
    .argument('[text]', 'the comment, in Markdown')
    .option('--task <task>', 'comment on this task of the run: runTaskId, title, or the start of a title')
    .option('--mention <name>', 'mention a member or a group: ID, name or email address (repeatable)', collect)
    .option('--file <path>', 'read the comment from a file; - is stdin')
    .addHelpText(
      'after',
      examples(
        'runward runs comment RUN "Who has the key?" --mention ada@example.com',
        'runward runs comment RUN --task "Sign the contract" --file notes.md',
      ),
    )
    .action(
      action(async (cli, run: string, given: string | undefined, { task, mention = [], file }: CommentOptions) => {
        if ((given === undefined) === (file === undefined))
          throw usage('Give the comment as an argument or with --file.');
        const text = given ?? (await readText(cli.io, file ?? '-', 'the comment')).trimEnd();
        const client = await cli.connectToChange(comment);
        const id = await findRunId(client, run);
        const mentions = await findMentions(client, mention);
        const created =
          task === undefined
            ? await client.runs.comments.create(id, { text, mentions })
            : await client.runs.tasks.comment(findTask(await client.runs.get(id), task).runTaskId, { text, mentions });
        await printRecord(cli.output, created, comment);
      }),
    );
}

async function findMentions(client: Client, names: readonly string[]): Promise<Mentions> {
  const mentions = { userIds: new Set<string>(), groupIds: new Set<string>() };
  for (const name of names) {
    const member = await orError(find(client, 'member', name));
    if ('id' in member) mentions.userIds.add(member.id);
    else if (member.reason === 'several') throw member;
    else {
      const group = await orError(find(client, 'group', name));
      if (!('id' in group)) throw usage(...member.messages, ...group.messages);
      mentions.groupIds.add(group.id);
    }
  }
  return { userIds: [...mentions.userIds], groupIds: [...mentions.groupIds] };
}

/** The record, or the error that says why there is none. */
async function orError<Found>(finding: Promise<Found>) {
  try {
    return await finding;
  } catch (error) {
    if (isFindError(error)) return error;
    throw error;
  }
}
