import { randomUUID } from 'node:crypto';
import { isMultipart, parameterNames, type Endpoint } from '@runward/contract';
import { namesSecret } from '@runward/testing/checks/secrets';
import type { Call } from '../sweep/calls.ts';
import type { Ids } from '../world/world.ts';
import { isPlainObject, nameOf, nodesOf, replaced, type Way } from './nodes.ts';
import { schemaAt } from './schema-at.ts';
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

/** Picks mutations of places. Two runs over the same places pick the same ones. */
export interface Picker {
  /** Picks values for a place. `kind`: what tells whether such a place got values before. */
  readonly values: <Value>(kind: string, values: Named<Value>, count: number) => [string, Value][];
  /** Whether this kind is asked about for the first time. */
  readonly isNew: (kind: string) => boolean;
}

/** Picks all mutations. */
export const everything: Picker = { values: (_, values) => Object.entries(values), isNew: () => true };

/**
 * Picks in turn as many values as are asked for, and the one with NUL, for the first place of a kind, and one for every
 * further place.
 */
export function createPicker(): Picker {
  let next = 0;
  const known = new Set<string>();
  const isNew = (kind: string) => !known.has(kind) && Boolean(known.add(kind));
  return {
    isNew,
    values: (kind, values, most) => {
      const all = Object.entries(values);
      const isFirst = isNew(`values ${kind}`);
      const count = isFirst ? most : 1;
      next += count;
      const picked = Array.from({ length: count }, (_, index) => all[(next + index) % all.length]);
      const always = isFirst ? all.filter(([what]) => what.endsWith('NUL')) : [];
      return [...new Set([...always, ...picked])].filter((each) => each !== undefined);
    },
  };
}

/**
 * Mutations of a valid call: of each path parameter, each query parameter the endpoint declares, and each value in the
 * body. Places whose schema is the same are of one kind, in whatever endpoint, and each endpoint has a kind once; a
 * body as a whole is of its endpoint.
 */
export function mutantsOf(endpoint: Endpoint, call: Call, ids: Ids, pick: Picker): Mutant[] {
  return [
    ...parameterNames(endpoint.path).flatMap((name) => ofParameter(endpoint, name, ids, pick)),
    ...ofQuery(endpoint, call, ids, pick),
    ...(endpoint.method === 'GET' ? [] : ofBody(endpoint, call, ids, pick)),
  ];
}

const nameOfEndpoint = ({ method, path }: Endpoint) => `${method} ${path}`;

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
  const isId = endpoint.params?.[name] === undefined;
  const place = `${nameOfEndpoint(endpoint)} ${at}`;
  if (!pick.isNew(place)) return [];
  return pick
    .values(isId ? 'id' : place, texts, 2)
    .concat(Object.entries(idsOfOthers(ids, undefined)))
    .map(([what, text]) => put(what, text));
}

function ofQuery(endpoint: Endpoint, { query }: Call, ids: Ids, pick: Picker): Mutant[] {
  const own = nameOfEndpoint(endpoint);
  const declared = Object.keys(endpoint.query?.shape ?? {}).filter((name) => pick.isNew(`${own} query.${name}`));
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
    const kind = schemaAt(endpoint, 'query', [name]) ?? `${own} ${name}`;
    const value = query[name];
    const others =
      isIdOf(ids, value) && pick.isNew(`${own} ids ${name}`) ? Object.entries(idsOfOthers(ids, value)) : [];
    const values = pick.values(kind, texts, 2).concat(others);
    const mutants = values.map(([what, text]) => mutant(name, what, `${name}=${text}`));
    if (!pick.isNew(`forms ${kind}`)) return mutants;
    return mutants.concat(
      mutant(name, 'nothing', `${name}=`),
      mutant(name, 'two values', `${name}=1`, `${name}=2`),
      mutant(name, 'brackets', `${name}[a]=1`),
    );
  };
  const surprise = pick.isNew(`${own} surprise`) ? [mutant('surprise', 'an unknown parameter', 'surprise=1')] : [];
  return names.flatMap(ofName).concat(surprise);
}

type Change = (own: unknown) => unknown;

function ofBody(endpoint: Endpoint, { body }: Call, ids: Ids, pick: Picker): Mutant[] {
  const own = nameOfEndpoint(endpoint);
  return nodesOf(body).flatMap(({ way, value }) => {
    const at = way.length === 0 ? 'body' : `body.${nameOf(way)}`;
    const kind = (way.length === 0 ? null : schemaAt(endpoint, 'body', way)) ?? `${own} ${at}`;
    if (!pick.isNew(`${own} ${kind}`)) return [];
    const changes = replacements(endpoint, way, kind, pick).concat(sameType(value, ids));
    if (way.length > 0) changes.push(['nothing', () => undefined]);
    return changes.map(([what, change]) => {
      const apply = (call: Call) => wireOf(endpoint, { ...call, body: replaced(call.body, way, change) });
      return { at, what, isId: isUuid(value) || isUuid(change(value)), apply };
    });
  });
}

/** Other values for a place in a body. */
function replacements({ body }: Endpoint, way: Way, kind: string, pick: Picker): [string, Change][] {
  const isSecret = namesSecret(String(way.at(-1)));
  const fits = (value: unknown) => {
    // An endpoint without a body takes an empty object for none; a form takes texts.
    if (body === undefined) return !(isPlainObject(value) && Object.keys(value).length === 0);
    return !isMultipart(body) || (typeof value === 'string' && way.length > 0);
  };
  const others = pick.isNew(`other values ${kind}`) ? pick.values(`other ${kind}`, otherValues, 1) : [];
  const values = [...pick.values(kind, sharpValues, 2), ...others].filter(([, value]) => fits(value));
  return values.map(([what, value]) => [what, () => (isSecret ? madeUnique(value) : value)]);
}

/**
 * Makes a long text unique. The tests look for every secret in the log and the database, which may contain the original
 * text for another reason.
 */
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
