import { newCommentId, type World } from '../world/world.ts';
import type { Examples } from './example.ts';

const freshComment = async (world: World) => ({ comment: await newCommentId(world, world.ids.runTask) });

/** Calls of comments on runs. */
export const commentExamples = {
  list: [{ query: () => ({ sort: '-createdAt', limit: 10 }) }],
  create: [
    {
      body: ({ member, group }) => ({
        text: 'The supplier asks for 60 days. @Grace, is that fine?',
        mentions: { userIds: [member], groupIds: [group] },
      }),
    },
  ],
  update: [
    {
      before: freshComment,
      body: ({ member, group }) => ({
        text: 'The supplier asks for **60** days.',
        mentions: { userIds: [member], groupIds: [group] },
      }),
    },
  ],
  delete: [{ before: freshComment }],
} as const satisfies Examples['runs.comments'];

/** Calls of comments on tasks. */
export const taskCommentExamples = {
  comments: [{ query: () => ({ sort: 'createdAt', limit: 10 }) }],
  comment: [
    {
      body: ({ member, group }) => ({
        text: 'The VAT number is that of the parent company.',
        mentions: { userIds: [member], groupIds: [group] },
      }),
    },
  ],
} as const satisfies Examples['runs.tasks'];
