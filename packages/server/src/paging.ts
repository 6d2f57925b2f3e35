import { formats, type Limits, type Page, type Total, type TotalMode } from '@runward/contract';
import { jsonBytes } from '@runward/engine';
import { badRequest } from './api-error.ts';

/** The part of a list that a caller asks for. */
export interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The part of a list whose `total` can be bounded. */
export interface BoundedPaging extends Paging {
  readonly total?: TotalMode | undefined;
}

/** Up to which number a list counts its items. Without it, it counts all of them. */
export type CountLimit = number | undefined;

/** The limit of counting that a caller asks for. A page that has all items always has their number. */
export function countLimit(
  { limit, total = 'exact' }: BoundedPaging,
  { countedItems }: Pick<Limits, 'countedItems'>,
): CountLimit {
  return total === 'bounded' ? Math.max(countedItems, limit) : undefined;
}

/**
 * The total of a list by the number that was counted: up to `most` + 1, or of all items if it is known anyway.
 */
export function totalWithin(most: CountLimit, counted: number, { isKnown = false } = {}): Total {
  if (most === undefined) return { total: counted };
  const totalIsExact = isKnown || counted <= most;
  return { total: totalIsExact ? counted : most, totalIsExact };
}

/** The cursor of the page that follows a key. `http/bind-cursors.ts` binds it to its list before a caller gets it. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The type of one part of a key. A `count` may exceed the 32 bits of a `number`, a `date` is a calendar day, and an
 * `instant` is a timestamp in UTC with milliseconds.
 */
type Kind = 'id' | 'text' | 'number' | 'count' | 'date' | 'instant';

type Key<Shape extends readonly Kind[]> = {
  [I in keyof Shape]: Shape[I] extends 'number' | 'count' ? number : string;
};

/**
 * Decodes a cursor whose key has parts of the types in `shape`. Throws a 400 if it was not created by `encodeCursor`.
 */
export function decodeCursor<Shape extends readonly Kind[]>(cursor: string, ...shape: Shape): Key<Shape> {
  const key = readCursor(cursor, ...shape);
  if (!key)
    throw badRequest(['cursor: must be the nextCursor of an earlier response; omit it to start with the first page']);
  return key;
}

/** Like `decodeCursor`, but returns null instead of throwing. */
export function readCursor<Shape extends readonly Kind[]>(cursor: string, ...shape: Shape): Key<Shape> | null {
  const key = parseJson(Buffer.from(cursor, 'base64url').toString());
  const fits =
    Array.isArray(key) && key.length === shape.length && shape.every((kind, index) => isOf(kind, key[index]));
  return fits ? (key as never) : null;
}

function isOf(kind: Kind, part: unknown): boolean {
  if (kind === 'count') return Number.isSafeInteger(part) && (part as number) >= 0;
  if (kind === 'number') return Number.isSafeInteger(part) && Math.abs(part as number) <= 2 ** 31 - 1;
  if (typeof part !== 'string' || part.includes('\0') || !part.isWellFormed()) return false;
  if (kind === 'date') return formats.isDate(part);
  if (kind === 'instant')
    return /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(part) && !Number.isNaN(Date.parse(part));
  return kind === 'text' || (formats.isId(part) && part === part.toLowerCase());
}

/** Rows of a list that were read with `limit + 1`, to find out whether more follow. */
export interface ReadRows<Row> {
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Exact, if it is only a number. */
  readonly total: number | Total;
}

/** The page of rows that were read. */
export function pageOf<Row, Item>(
  { rows, limit, total }: ReadRows<Row>,
  present: (row: Row) => Item,
  keyOf: (row: Row) => readonly (string | number)[],
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(present),
    ...(typeof total === 'number' ? { total } : total),
    hasMore,
    nextCursor: hasMore ? encodeCursor(keyOf(last)) : null,
  };
}

/** A page of records that were all read, newest first. Ids are the cursors: added or removed records shift no pages. */
export function pageById<Row extends { readonly id: string }, Item>(
  all: readonly Row[],
  { limit, cursor }: Paging,
  present: (row: Row) => Item,
): Page<Item> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
  const rows = after === undefined ? all : all.filter(({ id }) => id < after);
  return pageOf({ rows, limit, total: all.length }, present, ({ id }) => [id]);
}

/** A page of a list in memory, such as the tasks of a document. It ends early if its items take too many bytes. */
export function pageOfAll<Item>(
  items: readonly Item[],
  { limit, cursor }: Paging,
  { pageBytes }: Pick<Limits, 'pageBytes'>,
): Page<Item> {
  const [start] = cursor === undefined ? [0] : decodeCursor(cursor, 'number');
  const from = Math.max(0, start);
  const data: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(from, from + limit)) {
    bytes += jsonBytes(item);
    if (bytes > pageBytes && data.length > 0) break;
    data.push(item);
  }
  const next = from + data.length;
  const hasMore = next < items.length;
  return { data, total: items.length, hasMore, nextCursor: hasMore ? encodeCursor([next]) : null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
