import { isBinary, isMultipart, parameterNames, type Endpoint } from '@runward/contract';
import type { z } from 'zod';
import type { Ids } from '../world/world.ts';
import type { Call } from './calls.ts';
import { inputSchemaOf, type JsonSchema } from './json-schema.ts';

/**
 * A place in a call where the contract takes the id of a record: `query` and `templateId`, `body` and
 * `values[].runTaskFieldId`.
 */
export interface Place {
  readonly part: 'params' | 'query' | 'body';
  readonly at: string;
}

/** Ids that callers make up and that name no record. */
const madeUp = new Set(['idempotencyKey']);

const known = new WeakMap<Endpoint, readonly Place[]>();

/** Every place of an endpoint where an id can stand, read from its path and schemas. */
export function placesOf(endpoint: Endpoint): readonly Place[] {
  const places = known.get(endpoint) ?? readPlaces(endpoint);
  known.set(endpoint, places);
  return places;
}

function readPlaces({ path, params = {}, query, body }: Endpoint): Place[] {
  return [
    ...parameterNames(path)
      .filter((name) => !(name in params))
      .map((at) => ({ part: 'params' as const, at })),
    ...(query ? idsIn(query).map((at) => ({ part: 'query' as const, at })) : []),
    ...(body && !isBinary(body)
      ? idsIn(isMultipart(body) ? body.fields : body).map((at) => ({ part: 'body' as const, at }))
      : []),
  ];
}

function idsIn(schema: z.ZodType): string[] {
  const walk = ({ format, properties = {}, items, anyOf = [], oneOf = [] }: JsonSchema, at: string): string[] => [
    ...(format === 'uuid' ? [at] : []),
    ...Object.entries(properties).flatMap(([name, each]) => walk(each, at === '' ? name : `${at}.${name}`)),
    ...(items ? walk(items, `${at}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((each) => walk(each, at)),
  ];
  const json = inputSchemaOf(schema);
  const found = walk(json, '');
  if (found.length !== [...JSON.stringify(json).matchAll(/"format":"uuid"/g)].length) {
    throw new Error(
      `Teach test/support/sweep/id-positions.ts to walk this schema; it holds ids out of its sight: ${JSON.stringify(json)}`,
    );
  }
  return [...new Set(found)].filter((at) => !madeUp.has(at));
}

/** The id that stands at a place, of a list the first; undefined where none stands there. */
export function idAt(call: Call, place: Place): string | undefined {
  const value = valueAt(call, place);
  return typeof value === 'string' ? value : undefined;
}

function valueAt(call: Call, { part, at }: Place): unknown {
  let value: unknown = call[part];
  for (const step of stepsOf(at)) value = (value as Record<string, unknown> | null | undefined)?.[step];
  return value;
}

/** The same call with another id at a place: in the stead of its own, and in a list also behind it. */
export function withId(call: Call, place: Place, id: string): Call[] {
  const replaced = changedAt(call, place, () => id);
  const [list, ...rest] = place.at.split('[]');
  if (list === undefined || rest.length === 0) return [replaced];
  const at = { ...place, at: list };
  const [other] = valueAt(replaced, at) as (string | Readonly<Record<string, unknown>>)[];
  // Keys, names of columns and of new parts are unique, so the repeated item gets others.
  const unique = typeof other === 'object' && ['key', 'name'].find((property) => property in other);
  const named = unique ? { ...other, [unique]: `${String(other[unique])}2` } : other;
  const repeated = JSON.parse(JSON.stringify(named).replaceAll('"new:', '"new:another-')) as unknown;
  return [replaced, changedAt(call, at, (own) => [...(own as unknown[]), repeated])];
}

function changedAt(call: Call, { part, at }: Place, change: (before: unknown) => unknown): Call {
  const steps = stepsOf(at);
  const last = steps.pop() ?? '';
  const changed = structuredClone(call);
  let holder = changed[part] as Record<string, unknown>;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  holder[last] = change(holder[last]);
  return changed;
}

/** What an id is the id of. */
export function kindOf(ids: Ids, id: string): keyof Ids {
  const kind = (Object.keys(ids) as (keyof Ids)[]).find((each) => ids[each] === id);
  if (!kind)
    throw new Error(`Take the id ${id} of an example from the ids it is given, so that other ids can take its place.`);
  return kind;
}

function stepsOf(at: string): string[] {
  return at.replaceAll('[]', '.0').split('.');
}
