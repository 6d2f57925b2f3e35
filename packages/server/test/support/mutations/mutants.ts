import { randomUUID } from 'node:crypto';
import { isMultipart, parameterNames, type Endpoint } from '@runward/contract';
import type { Call } from '../calls.ts';
import type { Ids } from '../world.ts';
import { isPlainObject, nameOf, nodesOf, replaced, type Way } from './nodes.ts';
import { otherValues, sharpValues, texts, type Named } from './values.ts';

/** A call as it is sent. Path and query are already encoded, so that they can hold what no encoder produces. */
export interface WireCall {
  readonly path: string;
  readonly body: unknown;
}

/** One change to a valid call, which can be made to the same call with other ids. */
export interface Mutant {
  /** The place of the change, like `params.id`, `query.limit` or `body.values[0].value`. */
  readonly at: string;
  /** What is there instead. */
  readonly what: string;
  /** Whether the valid call, or the mutant, has an id at this place. */
  readonly isId: boolean;
  readonly apply: (call: Call) => WireCall;
}

/** Picks mutations for one place out of many, the one with NUL always. Two runs over the same places pick the same ones. */
export type Picker = <Value>(mutations: Named<Value>, count: number) => [string, Value][];

/** Picks all mutations, or in turn as many as are asked for. */
export function createPicker(extent: 'all' | 'some'): Picker {
  let next = 0;
  return (mutations, count) => {
    const all = Object.entries(mutations);
    if (extent === 'all') return all;
    next += count;
    const picked = Array.from({ length: count }, (_, index) => all[(next + index) % all.length]);
    return [...new Set([...all.filter(([what]) => what.endsWith('NUL')), ...picked])].filter(
      (each) => each !== undefined,
    );
  };
}

/** Every mutation of a valid call: of each path parameter, each query parameter the endpoint declares, and each value in the body. */
export function mutantsOf(endpoint: Endpoint, call: Call, ids: Ids, pick: Picker): Mutant[] {
  return [
    ...parameterNames(endpoint.path).flatMap((name) => ofParameter(endpoint, name, ids, pick)),
    ...ofQuery(endpoint, call, ids, pick),
    ...(endpoint.method === 'GET' ? [] : ofBody(endpoint, call, ids, pick)),
  ];
}

/** A valid call as it is sent. */
export function wireOf(endpoint: Endpoint, call: Call): WireCall {
  return onWire(endpoint, call, {}, queryOf(call.query));
}

const encoded = (value: unknown) => encodeURIComponent(String(value));
const queryOf = (query: Call['query']) => Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);

function onWire({ path }: Endpoint, { params, body }: Call, raw: Named<string>, query: readonly string[]): WireCall {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => raw[name] ?? encoded(params[name] ?? ''));
  return { path: query.length > 0 ? `${filled}?${query.join('&')}` : filled, body };
}

/** The ids of two records of other kinds: they exist, so only the kind is wrong. */
function idsOfOthers(ids: Ids, own: unknown): Named<string> {
  const others = Object.entries(ids).filter(([, id]) => id !== own);
  return Object.fromEntries(
    others.filter(([kind]) => kind === 'template' || kind === 'group').map(([kind, id]) => [`the id of a ${kind}`, id]),
  );
}

const isUuid = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
const isIdOf = (ids: Ids, value: unknown): value is string => Object.values(ids).some((id) => id === value);

function ofParameter(endpoint: Endpoint, name: string, ids: Ids, pick: Picker): Mutant[] {
  const at = `params.${name}`;
  const put = (what: string, text: string): Mutant => {
    return { at, what, isId: true, apply: (call) => onWire(endpoint, call, { [name]: text }, queryOf(call.query)) };
  };
  return [
    ...pick(texts, 2).map(([what, text]) => put(what, text)),
    ...Object.entries(idsOfOthers(ids, undefined)).map(([what, id]) => put(what, id)),
  ];
}

function ofQuery(endpoint: Endpoint, { query }: Call, ids: Ids, pick: Picker): Mutant[] {
  const declared = Object.keys(endpoint.query?.shape ?? {});
  const names = [...new Set([...declared, ...Object.keys(query)])];
  const mutant = (name: string, what: string, ...parts: readonly string[]): Mutant => {
    const isId = [query[name], ...parts.map((part) => part.slice(name.length + 1))].some(isUuid);
    const apply = (call: Call) => {
      const { [name]: _, ...others } = call.query;
      return onWire(endpoint, call, {}, [...queryOf(others), ...parts]);
    };
    return { at: `query.${name}`, what, isId, apply };
  };
  const ofName = (name: string) => {
    const own = query[name];
    const others = isIdOf(ids, own) ? Object.entries(idsOfOthers(ids, own)) : [];
    const values = pick(texts, 2).concat(others, [['nothing', '']]);
    const mutants = values.map(([what, value]) => mutant(name, what, `${name}=${value}`));
    return mutants.concat(
      mutant(name, 'two values', `${name}=1`, `${name}=2`),
      mutant(name, 'brackets', `${name}[a]=1`),
    );
  };
  return names.flatMap(ofName).concat(mutant('surprise', 'an unknown parameter', 'surprise=1'));
}

type Change = (own: unknown) => unknown;

function ofBody(endpoint: Endpoint, { body }: Call, ids: Ids, pick: Picker): Mutant[] {
  return nodesOf(body).flatMap(({ way, value }) => {
    const at = way.length === 0 ? 'body' : `body.${nameOf(way)}`;
    const changes = replacements(endpoint, way, pick).concat(sameType(value, ids));
    if (way.length > 0) changes.push(['nothing', () => undefined]);
    return changes.map(([what, change]) => {
      const apply = (call: Call) => wireOf(endpoint, { ...call, body: replaced(call.body, way, change) });
      return { at, what, isId: isUuid(value) || isUuid(change(value)), apply };
    });
  });
}

/** Other values for a place in a body. */
function replacements({ body }: Endpoint, way: Way, pick: Picker): [string, Change][] {
  const isPassword = /password$/i.test(String(way.at(-1)));
  const fits = (value: unknown) => {
    // An endpoint without a body takes an empty object for none; a form takes texts.
    if (body === undefined) return !(isPlainObject(value) && Object.keys(value).length === 0);
    return !isMultipart(body) || (typeof value === 'string' && way.length > 0);
  };
  const values = [...pick(sharpValues, 2), ...pick(otherValues, 1)].filter(([, value]) => fits(value));
  return values.map(([what, value]) => [what, () => (isPassword ? madeUnique(value) : value)]);
}

/** A text as a password of its own: the tests look for every password in the log and the database, where the plain text may be. */
function madeUnique(value: unknown): unknown {
  return typeof value === 'string' && value.length > 8 ? `${value}${randomUUID()}` : value;
}

/** Changes that keep the type: one key more, one item twice, the id of something else. */
function sameType(value: unknown, ids: Ids): [string, Change][] {
  if (isPlainObject(value)) return [['one key more', (own) => ({ ...(own as object), surprise: 'x' })]];
  if (Array.isArray(value) && value.length > 0) {
    return [['the first item twice', (own) => [(own as unknown[])[0], ...(own as unknown[])]]];
  }
  if (!isIdOf(ids, value)) return [];
  return [
    ['its id in capitals', (own) => String(own).toUpperCase()],
    ...Object.entries(idsOfOthers(ids, value)).map(([what, id]): [string, () => string] => [what, () => id]),
  ];
}
