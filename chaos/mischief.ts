import { setTimeout as pause } from 'node:timers/promises';
import type { Incident, Kind } from './evidence.ts';
import type { Random } from './random.ts';

/** Something bad to do. */
export interface Mischief {
  readonly kind: Kind;
  /** Nothing else is done to it meanwhile. */
  readonly target: string;
  /** How it is told. */
  readonly name: string;
  /** Does it; settles when the target does its work again. */
  strike(random: Random): Promise<void>;
}

/** How mischief is done; times in milliseconds. */
export interface MischiefOptions {
  readonly random: Random;
  readonly durationMs: number;
  /** The longest pause between two. */
  readonly mostPauseMs: number;
  /** How often each is done at most. */
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** Does all mischief in random order, again and again, until the time or the rounds are over. Answers what was done once all of it has passed. */
export async function makeMischief(all: readonly Mischief[], options: MischiefOptions): Promise<Incident[]> {
  const { random, durationMs, mostPauseMs, rounds, say } = options;
  const incidents: Incident[] = [];
  const busy = new Set<string>();
  const underWay: Promise<void>[] = [];
  const failures: unknown[] = [];

  async function strike({ kind, target, name, strike }: Mischief): Promise<void> {
    busy.add(target);
    const from = Date.now();
    say(name);
    try {
      await strike(random);
    } catch (error) {
      failures.push(error);
    }
    incidents.push({ kind, target, name, from, to: Date.now() });
    busy.delete(target);
  }

  let bag: Mischief[] = [];
  let round = 0;
  for (const deadline = Date.now() + durationMs; ;) {
    await pause(random.between(mostPauseMs / 6, mostPauseMs));
    if (Date.now() > deadline || failures.length > 0) break;
    if (bag.length === 0) {
      if (round === rounds) break;
      round += 1;
      bag = random.shuffle(all);
    }
    const next = bag.find(({ target }) => !busy.has(target));
    if (!next) continue;
    bag = bag.filter((other) => other !== next);
    underWay.push(strike(next));
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw new AggregateError(failures, 'What was struck did not come back.');
  return incidents;
}
