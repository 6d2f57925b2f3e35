import { parseBounded, problemsOf } from '@runward/contract';
import type { z } from 'zod';
import { badRequest } from '../api-error.ts';

const maximumDepth = 32;
const maximumKeys = 1000;
const maximumItems = 5000;

/** Parses a part of a request with its schema. Throws a 400 with one message per problem, for the first of many. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const rejected = screen(value, '', 0);
  if (rejected) throw badRequest([`${rejected.path || part}: ${rejected.problem}`]);
  const result = parseBounded(schema, value);
  if (!result.success) throw badRequest(problemsOf(result.error, part));
  return result.data;
}

/**
 * Finds problems that schemas do not check: text that PostgreSQL cannot store, and structures that are expensive to
 * process.
 */
function screen(value: unknown, path: string, depth: number): { path: string; problem: string } | null {
  if (typeof value === 'string') return screenText(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maximumDepth) return { path, problem: `must not nest deeper than ${maximumDepth} levels` };

  if (Array.isArray(value)) {
    if (value.length > maximumItems) return { path, problem: `must hold at most ${maximumItems} items` };
    return firstOf(value.entries(), ([index, item]) => screen(item, `${path}[${index}]`, depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length > maximumKeys) return { path, problem: `must have at most ${maximumKeys} keys` };
  return firstOf(entries, ([key, item]) => {
    const here = path ? `${path}.${key}` : key;
    if (screenText(key, here)) return { path, problem: 'must not have keys with NUL or broken Unicode characters' };
    return screen(item, here, depth + 1);
  });
}

/** Finds characters in a text that PostgreSQL cannot store. */
export function screenText(text: string, path: string): { path: string; problem: string } | null {
  if (text.includes('\0')) return { path, problem: 'must not contain the NUL character' };
  return text.isWellFormed() ? null : { path, problem: 'must be well-formed Unicode, without lone surrogates' };
}

function firstOf<Item, Found>(items: Iterable<Item>, look: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return null;
}
