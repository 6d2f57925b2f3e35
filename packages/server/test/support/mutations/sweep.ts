import { errorBody, isMultipart, isStream, limits } from '@runward/contract';
import type { ApiResponse } from '@runward/testing/api';
import pLimit from 'p-limit';
import type { Database } from '../../../src/database/database.ts';
import { unstorableMessage } from '../../../src/http/render-error.ts';
import { fingerprints } from '../database/rows.ts';
import type { Example } from '../examples/example.ts';
import { callOf, examplesOf, prepare, type Call } from '../sweep/calls.ts';
import { encode } from '../sweep/encode.ts';
import type { NamedEndpoint } from '../sweep/endpoints.ts';
import { callerOf, type World } from '../world/world.ts';
import { mutantsOf, type Mutant, type Picker, type WireCall } from './mutants.ts';

/** What a sweep needs. */
export interface SweepParts {
  readonly database: Database;
  readonly pick: Picker;
  readonly world: World;
  /** The world with another organization's session, for endpoints that change or end the session. */
  readonly withNewSession: () => Promise<World>;
}

/** What a sweep of an endpoint has done, and what it found wrong, as lines for a report. */
export interface SweepResult {
  readonly sent: number;
  readonly accepted: number;
  readonly findings: readonly string[];
}

/**
 * Sends every mutation of every example of an endpoint and checks each response and that rejected calls change no row.
 */
export async function sweep(each: NamedEndpoint, parts: SweepParts): Promise<SweepResult> {
  const total = { sent: 0, accepted: 0, findings: [] as string[] };
  for (const example of examplesOf(each)) {
    const { sent, accepted, findings } = await sweepExample(each, example, parts);
    total.sent += sent;
    total.accepted += accepted;
    total.findings.push(...findings);
  }
  return total;
}

async function sweepExample(each: NamedEndpoint, example: Example, parts: SweepParts): Promise<SweepResult> {
  const { database, pick } = parts;
  const endsSession = each.name.startsWith('auth.');
  const prepared = async () => {
    const world = endsSession ? await parts.withNewSession() : parts.world;
    const ids = await prepare(example, world);
    return { world, ids, call: callOf(each, example, ids, world) };
  };
  const isConsumed = endsSession || example.before !== undefined;
  let target = await prepared();
  const mutants = mutantsOf(each.endpoint, target.call, target.ids, pick);
  if (mutants.length === 0) return { sent: 0, accepted: 0, findings: [] };
  const findings: string[] = [];
  let rejected: Mutant[] = [];
  const before = isConsumed ? null : await fingerprints(database);

  for (const place of Map.groupBy(mutants, ({ at }) => at).values()) {
    const results = await Promise.all(place.map((mutant) => sendMutant(target.world, each, mutant, target.call)));
    for (const [index, { response, problem }] of results.entries()) {
      const mutant = place[index];
      if (problem && mutant) findings.push(problem);
      else if (mutant && response.status >= 400) rejected.push(mutant);
    }
    const isUsedUp = endsSession || results.some(({ response }) => response.status < 400);
    if (isConsumed && isUsedUp) target = await prepared();
  }

  const sent = mutants.length;
  const accepted = sent - rejected.length - findings.length;
  if (before && accepted === 0) {
    if (isSame(before, await fingerprints(database))) return { sent, accepted, findings };
  }
  // Among the calls above some were accepted, or changed what they should not have: the rejected ones once more, by
  // themselves.
  if (rejected.length > 0) findings.push(...(await changedBy(rejected)));
  return { sent, accepted, findings };

  /** Sends mutants that were rejected before, all together, and one by one if rows have changed. */
  async function changedBy(some: readonly Mutant[]): Promise<string[]> {
    target = isConsumed ? await prepared() : target;
    const rows = await fingerprints(database);
    const results = await Promise.all(some.map((mutant) => sendMutant(target.world, each, mutant, target.call)));
    // Valid calls that were rejected because another mutant had been accepted before.
    const rejectedAgain = some.filter((_, index) => (results[index]?.response.status ?? 0) >= 400);
    if (rejectedAgain.length < some.length) return changedBy(rejectedAgain);
    const changed = differing(rows, await fingerprints(database));
    if (changed.length === 0) return [];
    const [only] = some;
    if (some.length === 1 && only) {
      return [`${each.name} ${only.at} = ${only.what}: was rejected, and changed ${changed.join(', ')}`];
    }
    const half = Math.ceil(some.length / 2);
    return [...(await changedBy(some.slice(0, half))), ...(await changedBy(some.slice(half)))];
  }
}

/** Thousands of requests at once would wait so long for a connection that they fail. */
const limit = pLimit(50);
/** So many files and exports of an organization are under way at once. */
const transferLimit = pLimit(limits.streams.default);

/** Sends one mutant; `problem` says what is wrong with the response. */
function sendMutant(...args: Parameters<typeof sendNow>): ReturnType<typeof sendNow> {
  const [, { endpoint }] = args;
  const isTransfer = isStream(endpoint.response) || isMultipart(endpoint.body);
  return (isTransfer ? transferLimit : limit)(() => sendNow(...args));
}

async function sendNow(world: World, each: NamedEndpoint, mutant: Mutant, call: Call) {
  const wire = mutant.apply(call);
  const response = await sendWire(world, each, wire).catch((error: unknown) => {
    throw new Error(`${each.name} ${mutant.at} = ${mutant.what} has no response`, { cause: error });
  });
  const problem = problemWith(each, response, mutant.isId);
  const line = problem && `${each.name} ${mutant.at} = ${mutant.what}: ${problem} ${JSON.stringify(response.body)}`;
  return { response, problem: line };
}

/** Sends a call as it is on the wire, as a caller who may make it. */
export function sendWire(
  world: World,
  { endpoint }: NamedEndpoint,
  { path, body }: WireCall,
): Promise<ApiResponse<unknown>> {
  // A string would be sent as it is.
  const json = typeof body === 'string' ? JSON.stringify(body) : body;
  return callerOf(world, endpoint).raw(
    endpoint.method,
    path,
    json === undefined ? {} : { body: encode(endpoint, json) },
  );
}

/**
 * What is wrong with the response to a mutated call, or null. `isId`: whether an id was mutated, so that 404 is right.
 */
export function problemWith(
  { name }: NamedEndpoint,
  { status, body }: ApiResponse<unknown>,
  isId: boolean,
): string | null {
  if (status >= 500) return `returned ${status}`;
  if (status < 400) return null;
  const error = errorBody.safeParse(body);
  if (!error.success || error.data.statusCode !== status) return `returned ${status} with a body of another shape`;
  if (error.data.message === unstorableMessage) return 'reached PostgreSQL with a value that it cannot store';
  // The slug of a page names a record like an id.
  const namesRecord = isId || name === 'portals.view';
  const expected = [400, 413, ...(namesRecord ? [404] : []), ...throttled(name)];
  // Anything else means that the call was not valid but for the mutation.
  return expected.includes(status) ? null : `returned ${status}, which says nothing about the mutation`;
}

/** What endpoints return that slow down guessing. */
function throttled(name: string): number[] {
  if (['auth.login', 'auth.signInWithPasskey'].includes(name)) return [401, 429];
  const guessed = ['auth.changePassword', 'auth.redeemPasswordLink'];
  return guessed.includes(name) || name.startsWith('sharedTemplates.') ? [429] : [];
}

type Fingerprints = Readonly<Record<string, string>>;

function differing(before: Fingerprints, after: Fingerprints): string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table]);
}

function isSame(before: Fingerprints, after: Fingerprints): boolean {
  return differing(before, after).length === 0;
}
