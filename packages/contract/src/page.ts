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
    .describe(`Items per page. Default and maximum: ${maximumPageSize}.`),
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

/** How a list counts its `total`. */
export const totalModes = ['exact', 'bounded'] as const;

/** How a list counts its `total`. */
export type TotalMode = (typeof totalModes)[number];

/** The query parameters of a list that may have to count very many items; its response is a `boundedPage`. */
export const boundedPaging = {
  ...paging,
  total: z
    .enum(totalModes)
    .meta({ id: 'TotalMode', description: 'How a list counts its `total`.' })
    .default('exact')
    .describe(
      '`bounded`: at most 10,000 items are counted, unless the operator sets another limit, so that a page of a very large list takes less ' +
        'time. If there are more, `total` is that limit and `totalIsExact` is false. Default: `exact`.',
    ),
};

/** The query of a list without filters. */
export const pageQuery = z.strictObject(paging);

type PageSchema<Item extends z.ZodType> = ReturnType<typeof pageOf<Item>>;
type BoundedPageSchema<Item extends z.ZodType> = ReturnType<typeof boundedPageOf<Item>>;

const pages = new WeakMap<z.ZodType, unknown>();

/**
 * The response schema of a list: one page of items. Lists of the same item share one schema. `id` names its OpenAPI
 * component; default: the name of the item's component, with `Page` appended.
 */
export function page<Item extends z.ZodType>(item: Item, id?: string): PageSchema<Item> {
  return knownPage(item, id, () => pageOf(item));
}

/** Like `page`, for a list with the parameters `boundedPaging`. */
export function boundedPage<Item extends z.ZodType>(item: Item, id?: string): BoundedPageSchema<Item> {
  return knownPage(item, id, () => boundedPageOf(item));
}

function knownPage<Schema extends z.ZodType>(item: z.ZodType, id: string | undefined, make: () => Schema): Schema {
  const known = pages.get(item);
  // The page of this item, so it has its type.
  if (known) return known as Schema;
  const component = id ?? (item.meta()?.id && `${item.meta()?.id}Page`);
  const schema = make().meta({ ...(component && { id: component }), description: 'One page of a list.' });
  pages.set(item, schema);
  return schema;
}

const count = z.int().min(0);

function dataOf<Item extends z.ZodType>(item: Item) {
  return { data: z.array(item).describe('The items of this page, in the order of the list.') };
}

const next = {
  hasMore: z.boolean().describe('Whether there is a next page.'),
  nextCursor: z
    .string()
    .regex(cursorCharacters)
    .nullable()
    .describe('Send it as `cursor` to get the next page; null on the last page. Opaque.'),
};

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    ...dataOf(item),
    total: count.describe('Items on all pages; exact.'),
    ...next,
  });
}

function boundedPageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    ...dataOf(item),
    total: count.describe('Items on all pages; exact unless `totalIsExact` is false.'),
    totalIsExact: z
      .boolean()
      .optional()
      .describe('Whether there are no more items than `total`; only with `total=bounded`.'),
    ...next,
  });
}

/** The number of items on all pages of a list. */
export interface Total {
  /** Exact unless `totalIsExact` is false. */
  readonly total: number;
  /** Whether there are no more items than `total`. Only if the request has asked for `total=bounded`. */
  readonly totalIsExact?: boolean | undefined;
}

/** A page of items on the wire. `nextCursor` is null on the last page. */
export interface Page<Item> extends Total {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}
