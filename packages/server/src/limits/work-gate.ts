import type { Limits } from '@runward/contract';
import { tooManyRequests } from '../api-error.ts';
import { withDeadline } from '../deadline.ts';

/** Releases what a request has taken. A second call does nothing. */
export type Release = () => void;

/**
 * Limits the work of each organization that is in progress, so that none can take the memory of the process from the
 * others. A `name` stands for an organization, or for the sender of a request without one.
 */
export interface WorkGate {
  /** Waits until a request may begin. Throws a 429 if too many requests wait already, or if it would wait too long. */
  begin(name: string, weight: number): Promise<Release>;
  /** Lets a request send a body of this many bytes. Throws a 429 if other requests are sending too much. */
  receive(name: string, bytes: number): Release;
  /** Lets a request send or receive a file or an export. Throws a 429 if too many do so. */
  stream(name: string): Release;
}

/** The settings of a gate. */
interface Admission {
  readonly kind: string;
  /** How many names can use their whole limit before they wait for each other. */
  readonly fullShares: number;
  readonly longestWaitMs: number;
}

/** The requests of a process. */
export const requestAdmission: Admission = { kind: 'requests', fullShares: 8, longestWaitMs: 5_000 };
const pdfs: Admission = { kind: 'PDFs', fullShares: 1, longestWaitMs: 60_000 };

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
}

interface Share {
  inWork: number;
  receiving: number;
  streams: number;
  waiting: Waiting[];
}

/**
 * Creates the gate for the PDFs of a process, which are made one at a time. It waits for the turn of an organization,
 * and throws a 429.
 */
export function createPdfGate({
  pdfsWaiting,
}: Pick<Limits, 'pdfsWaiting'>): (organizationId: string) => Promise<Release> {
  const gate = createWorkGate({ requestsInWork: 1, requestsWaiting: pdfsWaiting, receivingBytes: 0, streams: 0 }, pdfs);
  return (organizationId) => gate.begin(organizationId, 1);
}

/** Creates the gate for the requests of a process. Requests of a name begin in order of arrival; names take turns. */
export function createWorkGate(
  {
    requestsInWork,
    requestsWaiting,
    receivingBytes,
    streams,
  }: Pick<Limits, 'requestsInWork' | 'requestsWaiting' | 'receivingBytes' | 'streams'>,
  { kind, fullShares, longestWaitMs } = requestAdmission,
): WorkGate {
  // The order of the entries is the order of the turns.
  const shares = new Map<string, Share>();
  let inWork = 0;

  function shareOf(name: string): Share {
    const share = shares.get(name) ?? { inWork: 0, receiving: 0, streams: 0, waiting: [] };
    shares.set(name, share);
    return share;
  }

  function forgetIdle(name: string, share: Share): void {
    const { inWork, receiving, streams, waiting } = share;
    // A body of 0 bytes does not keep its share in the map, so another share may have replaced it.
    const isIdle = inWork + receiving + streams + waiting.length === 0;
    if (isIdle && shares.get(name) === share) shares.delete(name);
  }

  function beginAll(): void {
    while (beginNext());
  }

  function beginNext(): boolean {
    for (const [name, share] of shares) {
      const [next] = share.waiting;
      if (!next || !fits(share.inWork, next.weight, requestsInWork)) continue;
      if (!fits(inWork, next.weight, requestsInWork * fullShares)) return false;
      share.waiting.shift();
      share.inWork += next.weight;
      inWork += next.weight;
      shares.delete(name);
      shares.set(name, share);
      next.begin();
      return true;
    }
    return false;
  }

  return {
    begin: async (name, weight) => {
      const share = shareOf(name);
      if (share.waiting.length >= requestsWaiting) throw tooMany(kind, 'of this organization are waiting already');
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting: Waiting = { weight, begin: resolve };
      share.waiting.push(waiting);
      beginAll();
      if (share.waiting.includes(waiting)) {
        await withDeadline(longestWaitMs, promise, () => {
          share.waiting = share.waiting.filter((other) => other !== waiting);
          forgetIdle(name, share);
          throw tooMany(kind, `have been in work for ${longestWaitMs / 1_000} s`);
        });
      }
      return once(() => {
        share.inWork -= weight;
        inWork -= weight;
        beginAll();
        forgetIdle(name, share);
      });
    },

    receive: (name, bytes) => {
      const share = shareOf(name);
      if (!fits(share.receiving, bytes, receivingBytes)) {
        throw tooManyRequests(
          `Requests of this organization are sending ${receivingBytes} bytes at a time already; send fewer at a time.`,
          1,
        );
      }
      share.receiving += bytes;
      return once(() => {
        share.receiving -= bytes;
        forgetIdle(name, share);
      });
    },

    stream: (name) => {
      const share = shareOf(name);
      if (share.streams >= streams) {
        throw tooManyRequests(
          `${streams} exports and files are being sent at a time already; wait until one has ended.`,
          5,
        );
      }
      share.streams += 1;
      return once(() => {
        share.streams -= 1;
        forgetIdle(name, share);
      });
    },
  };
}

/** Work that alone exceeds the limit may begin if nothing else is in progress. */
function fits(used: number, weight: number, limit: number): boolean {
  return used === 0 || used + weight <= limit;
}

function tooMany(kind: string, what: string) {
  return tooManyRequests(`Too many ${kind} at a time: others ${what}. Send fewer at a time.`, 1);
}

function once(work: () => void): Release {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
