import { z } from 'zod';
import { actor } from '../actor.ts';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { id, idList } from '../values.ts';

/** The most bytes of a comment's text in UTF-8. */
const maximumCommentBytes = 20_480;

/** The most members and groups that a comment mentions. */
const maximumMentions = 50;

/** The most comments of a run that are not deleted. */
export const maximumComments = 2_000;

const text = z
  .string()
  .overwrite((sent) => sent.replaceAll('\r\n', '\n'))
  .refine((sent) => sent.trim() !== '', 'must not be empty')
  .refine(
    (sent) => new TextEncoder().encode(sent).length <= maximumCommentBytes,
    `must be at most ${maximumCommentBytes} bytes of UTF-8`,
  )
  .refine((sent) => !/[^\P{Cc}\t\n]/u.test(sent), 'must not contain control characters except tabs and line breaks')
  .describe('Markdown, as in portals. At most 20,480 bytes of UTF-8.');

const mentions = z
  .strictObject({
    userIds: idList(maximumMentions).default([]).describe('Active members. Default: none.'),
    groupIds: idList(maximumMentions).default([]).describe('Groups. Default: none.'),
  })
  .refine(
    ({ userIds, groupIds }) => userIds.length + groupIds.length <= maximumMentions,
    `must name at most ${maximumMentions} members and groups`,
  )
  .meta({ id: 'MentionInput', description: 'The members and groups that a comment mentions, at most 50 in all.' });

const comment = component('Comment', 'A comment on a run or on one of its tasks.', {
  id: id.describe('Id of the comment.'),
  runId: id.describe('The run that was commented on.'),
  runTaskId: id.nullable().describe('The task in its run; null for a comment on the run.'),
  text: z.string().describe('Markdown, as in portals.'),
  author: actor,
  mentions: component('Mentions', 'The members and groups that a comment mentions.', {
    userIds: z.array(id).describe('Members.'),
    groupIds: z.array(id).describe('Groups.'),
  }),
  createdAt: z.iso.datetime().describe('When it was written.'),
  editedAt: z.iso.datetime().nullable().describe('When it was last edited; null for never.'),
});

const written = component('CreateComment', 'A new comment.', {
  text,
  mentions: mentions.optional().describe('Who is mentioned. Default: no one.'),
});

const query = z.strictObject({
  ...paging,
  sort: z
    .enum(['createdAt', '-createdAt'])
    .meta({ id: 'CommentSort', description: 'The order of a list of comments.' })
    .default('createdAt')
    .describe('`-createdAt`: the newest first. Default: `createdAt`, the oldest first.'),
});

const creation =
  'Possible in every status of the run. Mentions are ids; the text is not searched for names. Emits `comment.created`. Returns 400 if a ' +
  'mentioned member is not active, or if the run has 2,000 comments.';

/** Comments on runs. Part of the group `runs.comments`. */
export const runComments = {
  list: {
    method: 'GET',
    path: '/runs/:id/comments',
    large: true,
    access: 'runs:read',
    summary: 'List the comments on a run and its tasks, oldest first',
    description: 'Deleted comments are left out.',
    query,
    response: page(comment),
  },
  create: {
    method: 'POST',
    path: '/runs/:id/comments',
    access: 'runs:write',
    summary: 'Comment on a run',
    description: creation,
    body: written,
    errors: ['limit_reached'],
    status: 201,
    response: comment,
  },
  get: {
    method: 'GET',
    path: '/runs/comments/:commentId',
    access: 'runs:read',
    guests: true,
    summary: 'Get a comment',
    response: comment,
  },
  update: {
    method: 'PATCH',
    path: '/runs/comments/:commentId',
    access: 'runs:write',
    guests: true,
    summary: 'Edit a comment of your own',
    description: 'The activity of the run keeps the earlier text. Returns 403 for the comment of someone else.',
    body: z
      .strictObject({
        text: text.optional(),
        mentions: mentions.optional().describe('Replaces both lists. Default: as they are.'),
      })
      .refine((body) => Object.values(body).some((value) => value !== undefined), 'must contain text or mentions')
      .meta({ id: 'UpdateComment', description: 'Changes to a comment.' }),
    errors: ['not_own_record'],
    response: comment,
  },
  delete: {
    method: 'DELETE',
    path: '/runs/comments/:commentId',
    access: 'runs:write',
    guests: true,
    summary: 'Delete a comment of your own',
    description:
      'The activity of the run keeps the text. Returns 403 for the comment of someone else, except to owners and admins in a session.',
    errors: ['not_own_record'],
  },
} as const satisfies Group;

/** Comments on tasks. Part of the group `runs.tasks`. */
export const taskComments = {
  comments: {
    method: 'GET',
    path: '/runs/tasks/:taskId/comments',
    large: true,
    access: 'runs:read',
    guests: true,
    summary: 'List the comments on a task, oldest first',
    description: '`taskId` is a `runTaskId`. Deleted comments are left out.',
    query,
    response: page(comment),
  },
  comment: {
    method: 'POST',
    path: '/runs/tasks/:taskId/comments',
    access: 'runs:write',
    guests: true,
    summary: 'Comment on a task of a run',
    description: `\`taskId\` is a \`runTaskId\`. ${creation} Hidden, blocked, completed and retired tasks can be commented on.`,
    body: written,
    errors: ['limit_reached'],
    status: 201,
    response: comment,
  },
} as const satisfies Group;
