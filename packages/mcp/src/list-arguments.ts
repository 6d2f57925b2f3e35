import type { Total } from '@runward/contract';
import { z } from 'zod';

const defaultLimit = 20;
const maximumLimit = 100;
const limitError = `must be a whole number from 1 to ${maximumLimit}`;

/** The arguments of every tool that lists. The limits are lower than in the API, because a model reads each item. */
export const listArguments = {
  limit: z
    .int({ error: limitError })
    .min(1, limitError)
    .max(maximumLimit, limitError)
    .default(defaultLimit)
    .meta({ description: `How many to list, at most ${maximumLimit}. Default: ${defaultLimit}.` }),
  cursor: z
    .string()
    .optional()
    .meta({ description: 'The `nextCursor` of the previous result. Default: the beginning.' }),
};

/** A list as a sentence: how many there are, and how to get more. */
export function describeList(
  kind: string,
  {
    data,
    total,
    totalIsExact = true,
    nextCursor,
  }: Total & { readonly data: readonly unknown[]; readonly nextCursor: string | null },
): string {
  const count = `${totalIsExact ? total : `more than ${total.toLocaleString('en')}`} ${total === 1 ? kind : `${kind}s`}`;
  if (data.length === total && totalIsExact) return total === 0 ? `No ${kind} fits.` : `${count}.`;
  const more =
    nextCursor === null ? 'These are the last.' : 'For more, call this again with `cursor` set to nextCursor.';
  return `${data.length} of ${count}. ${more}`;
}
