import { z } from 'zod';
import { wholeNumber } from './values.ts';

/** Items a list answers when `limit` is left out, and the most it answers (spec: Limits). */
export const maximumPageSize = 200;

/** Query parameters every list takes. `cursor` is the `nextCursor` of the page before. */
export const paging = {
  limit: wholeNumber(1, maximumPageSize).default(maximumPageSize),
  cursor: z.string().min(1).max(512).optional(),
};

/** Query of a list that has no filters. */
export const pageQuery = z.strictObject(paging);

/** One page of a list: `total` is exact, `nextCursor` is null on the last page. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    total: z.int().min(0),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable(),
  });
}

/** A page of records on the wire. */
export interface Page<Item> {
  data: Item[];
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
}
