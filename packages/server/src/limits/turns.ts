import { tooManyRequests } from '../api-error.ts';
import { withDeadline } from '../deadline.ts';

/** Releases what a request has taken. A second call does nothing. */
export type Release = () => void;

/** The settings of a queue in which names take turns. */
export interface TurnOptions {
  /** What takes turns, in the plural, for messages. */
  readonly kind: string;
  /** How many a name can have in work. */
  readonly inWork: number;
  /** How many of a name can wait for that. */
  readonly waiting: number;
  /** How many names can use their whole limit before they wait for each other. */
  readonly fullShares: number;
  readonly longestWaitMs: number;
}

interface Share {
  inWork: number;
  waiting: (() => void)[];
}

/**
 * Makes a queue: its function waits until work of a name may begin. Work of a name begins in order of arrival, and
 * names take turns. Throws a 429 if too much work of the name waits already, or if the work would wait too long.
 */
export function createTurns({ kind, inWork: most, waiting: mostWaiting, fullShares, longestWaitMs }: TurnOptions) {
  // In the order of their turns.
  const shares = new Map<string, Share>();
  let inWork = 0;

  function beginAll(): void {
    for (let name = next(); name !== undefined && inWork < most * fullShares; name = next()) {
      const share = shares.get(name);
      if (!share) return;
      shares.delete(name);
      shares.set(name, share);
      share.inWork += 1;
      inWork += 1;
      share.waiting.shift()?.();
    }
  }

  function next(): string | undefined {
    for (const [name, share] of shares) if (share.waiting.length > 0 && share.inWork < most) return name;
    return undefined;
  }

  function forgetIdle(name: string, share: Share): void {
    if (share.inWork + share.waiting.length === 0) shares.delete(name);
  }

  return async (name: string): Promise<Release> => {
    const share = shares.get(name) ?? { inWork: 0, waiting: [] };
    if (share.waiting.length >= mostWaiting) throw tooMany(kind, 'of this organization are waiting already');
    shares.set(name, share);
    const { promise, resolve } = Promise.withResolvers<void>();
    share.waiting.push(resolve);
    beginAll();
    if (share.waiting.includes(resolve)) {
      await withDeadline(longestWaitMs, promise, () => {
        share.waiting = share.waiting.filter((other) => other !== resolve);
        forgetIdle(name, share);
        throw tooMany(kind, `have been in work for ${longestWaitMs / 1_000} s`);
      });
    }
    return once(() => {
      share.inWork -= 1;
      inWork -= 1;
      beginAll();
      forgetIdle(name, share);
    });
  };
}

function tooMany(kind: string, what: string) {
  return tooManyRequests('too_many_at_a_time', `Too many ${kind} at a time: others ${what}. Send fewer at a time.`, 1);
}

/** Makes a release that has no effect the second time. */
export function once(work: () => void): Release {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
