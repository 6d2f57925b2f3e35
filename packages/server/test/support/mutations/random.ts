import * as fc from 'fast-check';
import type { Call } from '../sweep/calls.ts';
import type { NamedEndpoint } from '../sweep/endpoints.ts';
import { nodesOf, replaced } from './nodes.ts';

/** Random changes to a valid call: two values of its body, or one parameter of its query. */
export interface RandomChange {
  /** Which of the calls, which values: any natural number, taken modulo how many there are. */
  readonly call: number;
  readonly places: readonly number[];
  readonly values: readonly unknown[];
  readonly parameter: string;
}

const text = fc.string({ unit: 'binary' });
const value = fc.oneof(text, fc.double(), fc.bigInt().map(String), fc.jsonValue({ maxDepth: 3 }));

/** Draws random changes. */
export const randomChange: fc.Arbitrary<RandomChange> = fc.record({
  call: fc.nat(),
  places: fc.tuple(fc.nat(), fc.nat()),
  values: fc.tuple(value, value),
  parameter: text,
});

/** The item that any natural number stands for. */
export function itemAt<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** A call with random changes. */
export function changed({ endpoint }: NamedEndpoint, call: Call, change: RandomChange): Call {
  const { places, values, parameter } = change;
  if (endpoint.method === 'GET') {
    const name = itemAt(Object.keys(endpoint.query?.shape ?? {}), places[0] ?? 0);
    return { ...call, query: { ...call.query, [name]: parameter } };
  }
  const body = places.reduce<unknown>(
    (before, place, index) => replaced(before, itemAt(nodesOf(before), place).way, () => values[index]),
    call.body,
  );
  return { ...call, body };
}
