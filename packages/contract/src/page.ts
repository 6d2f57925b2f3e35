import { z } from 'zod';
import { wholeNumber } from './values.ts';

/** Maximum and default number of items per page (spec: Limits). */
export const maximumPageSize = 200;

/** The characters of a cursor: the base64url alphabet. */
const cursorCharacters = /^[A-Za-z0-9_-]+$/;

/**
 * A cursor has at most 1,089 characters: a prefix of 11, then base64url of a key of 808 bytes. Such a key holds an id
 * and a name of 255 characters of three bytes each.
 */
const maximumCursorLength = 1_200;

/** The query parameters of every list. */
export const paging = {
  limit: wholeNumber(1, maximumPageSize)
    .default(maximumPageSize)
    .meta({ description: `Items per page. Default and maximum: ${maximumPageSize}.` }),
  cursor: z
    .string()
    .min(1, 'must not be empty; leave it out for the first page')
    .max(maximumCursorLength, 'must be the nextCursor of an earlier response')
    .optional()
    .meta({
      description: 'The `nextCursor` of the previous page. Default: the first page.',
      pattern: cursorCharacters.source,
    }),
};

/** The query of a list without filters. */
export const pageQuery = z.strictObject(paging);

type PageSchema<Item extends z.ZodType> = ReturnType<typeof pageOf<Item>>;

const pages = new WeakMap<z.ZodType, unknown>();

/**
 * The response schema of a list: one page of items. Lists of the same item share one schema. `id` names its OpenAPI
 * component; default: the name of the item's component, with `Page` appended.
 */
export function page<Item extends z.ZodType>(item: Item, id?: string): PageSchema<Item> {
  const known = pages.get(item);
  // The page of this item, so it has its type.
  if (known) return known as PageSchema<Item>;
  const component = id ?? (item.meta()?.id && `${item.meta()?.id}Page`);
  const schema = pageOf(item).meta({ ...(component && { id: component }), description: 'One page of a list.' });
  pages.set(item, schema);
  return schema;
}

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item).meta({ description: 'The items of this page, in the order of the list.' }),
    total: z.int().min(0).meta({ description: 'Items on all pages; exact.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is a next page.' }),
    nextCursor: z
      .string()
      .regex(cursorCharacters)
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page. Opaque.' }),
  });
}

/** A page of items on the wire. `total` is exact; `nextCursor` is null on the last page. */
export interface Page<Item> {
  data: Item[];
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
}
