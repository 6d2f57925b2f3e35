import { setTimeout as pause } from 'node:timers/promises';
import type { Cast } from './cast.ts';
import { heldUp } from './check/held-up.ts';
import { collect, readRemainder } from './collect.ts';
import type { Evidence } from './evidence.ts';
import { followFeed, readFeed } from './follow-feed.ts';
import { startLoad } from './load.ts';
import { makeMischief, type Mischief } from './mischief.ts';
import { createRandom } from './random.ts';

/** How a storm goes; times in milliseconds. */
export interface StormOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly clients: number;
  /** The longest pause between two of the mischief. */
  readonly mostPauseMs: number;
  /** How often each is done at most. */
  readonly rounds: number;
  /** The way to the database that nobody disturbs. */
  readonly databaseUrl: string;
  /** How many attempts the retry schedule has. */
  readonly attempts: number;
  /** The longest wait for what is left when the storm is over. */
  readonly settleMs: number;
  /** Whether leases of lost workers (60 s) and the check for deadlines (every 30 s) are waited for. */
  readonly patient: boolean;
  readonly say: (line: string) => void;
}

/** What came of a storm. */
export interface Aftermath {
  readonly evidence: Evidence;
  /** When the system was last looked at, in epoch milliseconds. */
  readonly end: number;
}

/** Has clients work while mischief is done, waits until all is quiet, stops the service and gathers what is left. */
export async function storm(cast: Cast, mischief: readonly Mischief[], options: StormOptions): Promise<Aftermath> {
  const { apis, workers, clients, receiver, process, exits } = cast;
  const { seed, durationMs, say, patient, databaseUrl, attempts } = options;
  const began = Date.now();
  const told = (line: string) => say(`${((Date.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const count = () =>
    told(`${clients.sent()} requests, ${clients.deeds.length} answers, ${exits.length} ends of processes`);
  const counting = setInterval(count, 15_000);

  try {
    const endOfFeed = followFeed(clients);
    const load = startLoad(clients, process, { clients: options.clients, seed, tidy: !patient });
    const random = createRandom(seed, 'mischief');
    const incidents = await makeMischief(mischief, { ...options, random, durationMs, say: told });
    await load.stop();
    await Promise.all([...apis, ...workers].map((actor) => actor.ready()));
    told('the storm is over; waiting until all is quiet');
    await settle(options);
    // Without workers nothing more happens while the feed is read.
    await Promise.all(workers.map((actor) => actor.stop()));
    const end = Date.now();
    const feeds = { during: await endOfFeed(), after: await readFeed(clients) };
    await Promise.all(apis.map((actor) => actor.stop()));
    const { deeds } = clients;
    const received = await receiver.log();
    const rows = await collect(databaseUrl);
    const all = { ...rows, deeds, received, feeds, incidents, exits, attempts, leasesAwaited: patient };
    return { evidence: all, end };
  } finally {
    clearInterval(counting);
  }
}

/** Seconds after which whoever holds a delivery has been lost. */
const longerThanAnAttempt = 15;

/** Waits until nothing is left to do. What is left after the longest wait the checker will find. */
async function settle({ databaseUrl, settleMs, patient, say }: StormOptions): Promise<void> {
  for (const deadline = Date.now() + settleMs; ; await pause(500)) {
    const { deliveries, deadlines } = await readRemainder(databaseUrl, longerThanAnAttempt);
    const isHeldUp = heldUp(deliveries);
    const left = deliveries.filter((delivery) => patient || !isHeldUp(delivery));
    if (left.length === 0 && deadlines === 0) return;
    if (Date.now() > deadline) return say(`still left: ${left.length} deliveries, ${deadlines} deadlines`);
  }
}
