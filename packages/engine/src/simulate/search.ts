import type { FieldValue } from '@runward/contract';
import type { Target } from '../rules/graph.ts';
import type { Domain } from './domains.ts';
import { pickFrom } from './random.ts';

/** The values chosen for what rules read, in the order in which they were read. */
export type Choices = ReadonlyMap<Target, FieldValue>;

/**
 * A question about one case. `read` returns the value of a field or variable. The result must depend only on what was
 * read.
 */
export type Question<Result> = (read: (input: Target) => FieldValue) => Result;

/**
 * One case: the choices that the question depends on, and its result. Anything that was not read can have any value.
 */
export interface Case<Result> {
  readonly choices: Choices;
  readonly result: Result;
}

/** Where to search. */
export interface Space {
  readonly domains: ReadonlyMap<Target, Pick<Domain, 'values' | 'complete'>>;
  /** Maximum number of cases to try in order. If there are more, a quarter of this number is also tried at random. */
  readonly limit: number;
}

/** What a search has found out. */
export interface Searched {
  /** Whether the search was exhaustive or stopped by `visit`. If not, only a sample was visited. */
  readonly complete: boolean;
  readonly tried: number;
}

/**
 * Visits the cases of a question until `visit` returns true. A case branches only where the question reads something,
 * so there are usually far fewer cases than combinations of values. If there are more cases than the limit, random ones
 * follow. Yields from time to time.
 */
export function* search<Result>(
  { domains, limit }: Space,
  question: Question<Result>,
  visit: (found: Case<Result>) => boolean | void,
): Generator<number, Searched> {
  let complete = true;
  let tried = 0;
  const ask = (choose: (count: number) => number): Case<Result> => {
    const choices = new Map<Target, FieldValue>();
    const result = question((input) => {
      const known = choices.get(input);
      if (known !== undefined) return known;
      const domain = domains.get(input);
      if (!domain) return null;
      complete &&= domain.complete;
      const value = domain.values[choose(domain.values.length)] ?? null;
      choices.set(input, value);
      return value;
    });
    tried += 1;
    return { choices, result };
  };

  const branches: { index: number; count: number }[] = [];
  for (let left = limit; left > 0; left -= 1) {
    let depth = 0;
    const found = ask((count) => {
      const branch = (branches[depth] ??= { index: 0, count });
      depth += 1;
      return branch.index;
    });
    if (visit(found) === true) return { complete: true, tried };
    if (tried % progressEvery === 0) yield progressEvery;
    while (branches.length > 0 && isLast(branches.at(-1))) branches.pop();
    const last = branches.at(-1);
    if (!last) return { complete, tried };
    last.index += 1;
  }

  const pick = pickFrom(limit);
  for (let left = limit / 4; left > 0; left -= 1) {
    if (visit(ask(pick)) === true) return { complete: true, tried };
    if (tried % progressEvery === 0) yield progressEvery;
  }
  return { complete: false, tried };
}

const progressEvery = 100;

function isLast(branch: { readonly index: number; readonly count: number } | undefined): boolean {
  return branch !== undefined && branch.index + 1 >= branch.count;
}
