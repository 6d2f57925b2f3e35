import { z } from 'zod';

/** The argument with which a call can be repeated safely. */
export const idempotencyKey = z
  .uuid('must be a UUID')
  .optional()
  .meta({
    description:
      'A UUID of your choice, the same if you repeat this call because its result was lost: the work is then done once, and the call returns ' +
      'what it did. For 24 hours. Default: every call does the work.',
  });
