import type { RequestJob } from '../load/load.ts';
import type { Seed } from '../seed/seed.ts';
import type { Scenario } from './compare.ts';

/** How long and how much to measure. */
export interface Profile {
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Form flows for warming up in each round, and for measuring. */
  readonly warmUpFlows: number;
  readonly flows: number;
}

/** For numbers to compare. */
export const full: Profile = {
  isQuick: false,
  rounds: 3,
  warmUpSeconds: 3,
  seconds: 8,
  warmUpFlows: 200,
  flows: 1000,
};

/** For trying. */
export const quick: Profile = {
  isQuick: true,
  rounds: 1,
  warmUpSeconds: 1,
  seconds: 2,
  warmUpFlows: 50,
  flows: 200,
};

/** How many forms the benchmark fills in on each target. */
export function formsNeeded({ rounds, warmUpFlows, flows }: Profile): number {
  return rounds * (warmUpFlows + flows);
}

/** The headers of every request, with the API key, which the baseline ignores. */
export function headersOf({ apiKey }: Pick<Seed, 'apiKey'>) {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}

/** A load that repeats requests for as long as the profile says. */
export function sending(
  { profile, seeded }: { readonly profile: Profile; readonly seeded: Pick<Seed, 'apiKey'> },
  requests: RequestJob['requests'],
): (url: string, phase: Parameters<Scenario['job']>[1]) => RequestJob {
  return (url, phase) => {
    const seconds = phase === 'warm-up' ? profile.warmUpSeconds : profile.seconds;
    return { kind: 'requests', url, headers: headersOf(seeded), requests, seconds };
  };
}
