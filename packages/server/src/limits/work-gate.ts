import type { Limits } from '@runward/contract';
import { tooManyRequests } from '../api-error.ts';
import { createTurns, once, type Release } from './turns.ts';

/**
 * Limits the work of each organization that is in progress, so that none can take the memory and the time of the
 * process from the others. A `name` stands for an organization, or for the sender of a request without one.
 */
export interface WorkGate {
  /** Waits until a request may begin. Throws a 429 if too many requests wait already, or if it would wait too long. */
  begin(name: string): Promise<Release>;
  /**
   * The same for a request that can use much memory and time. The next one begins after a rest of twice as long as it
   * took, so that those of an organization leave at least two thirds of the time of the process to others.
   */
  beginLarge(name: string): Promise<Release>;
  /** The same for a request that waits for the one before, because both change what one can change at a time. */
  beginSerial(name: string): Promise<Release>;
  /** Lets a request send a body of this many bytes. Throws a 429 if other requests are sending too much. */
  receive(name: string, bytes: number): Release;
  /** Lets a request send or receive a file or an export. Throws a 429 if too many do so. */
  stream(name: string): Release;
}

/** How requests wait, in milliseconds. */
export interface Waits {
  readonly longestWaitMs: number;
}

const fullShares = 8;
const requestWaits: Waits = { longestWaitMs: 5_000 };
/** The next request begins at once after a large one that took less than this, in milliseconds. */
const shortMs = 8;
const longestRestMs = 1_000;

/**
 * Creates the gate for the PDFs of a process, which are made one at a time. It waits for the turn of an organization,
 * and throws a 429.
 */
export function createPdfGate({ pdfsWaiting }: Pick<Limits, 'pdfsWaiting'>): (name: string) => Promise<Release> {
  return createTurns({ kind: 'PDFs', inWork: 1, waiting: pdfsWaiting, fullShares: 1, longestWaitMs: 60_000 });
}

/** Creates the gate for the requests of a process. */
export function createWorkGate(
  limits: Pick<Limits, 'requestsInWork' | 'largeRequestsInWork' | 'requestsWaiting' | 'receivingBytes' | 'streams'>,
  waits = requestWaits,
): WorkGate {
  const { requestsInWork, largeRequestsInWork, requestsWaiting: waiting, receivingBytes, streams } = limits;
  const begin = createTurns({ kind: 'requests', inWork: requestsInWork, waiting, fullShares, ...waits });
  const beginLarge = createTurns({
    kind: 'large requests',
    inWork: largeRequestsInWork,
    waiting,
    fullShares,
    ...waits,
  });
  const beginSerial = createTurns({ kind: 'changes of this kind', inWork: 1, waiting, fullShares, ...waits });
  const receiving = createTally();
  const streaming = createTally();
  return {
    begin,
    beginSerial,
    beginLarge: async (name) => {
      const release = await beginLarge(name);
      const began = performance.now();
      return once(() => {
        const took = performance.now() - began;
        if (took < shortMs) release();
        else setTimeout(release, Math.min(2 * took, longestRestMs)).unref();
      });
    },
    receive: (name, bytes) => {
      const used = receiving.of(name);
      // What exceeds the limit by itself may take it if nothing else does.
      if (used > 0 && used + bytes > receivingBytes) {
        throw tooManyRequests(
          'too_many_at_a_time',
          `Requests of this organization are sending ${receivingBytes} bytes at a time already; send fewer at a time.`,
          1,
        );
      }
      return receiving.add(name, bytes);
    },
    stream: (name) => {
      if (streaming.of(name) >= streams) {
        throw tooManyRequests(
          'too_many_at_a_time',
          `${streams} exports and files are being sent at a time already; wait until one has ended.`,
          5,
        );
      }
      return streaming.add(name, 1);
    },
  };
}

/** Makes sums by name. A name without one takes no memory. */
function createTally() {
  const sums = new Map<string, number>();
  const change = (name: string, by: number) => {
    const sum = (sums.get(name) ?? 0) + by;
    if (sum === 0) sums.delete(name);
    else sums.set(name, sum);
  };
  return {
    of: (name: string) => sums.get(name) ?? 0,
    add: (name: string, amount: number): Release => {
      change(name, amount);
      return once(() => change(name, -amount));
    },
  };
}
