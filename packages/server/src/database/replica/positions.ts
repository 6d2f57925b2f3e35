/**
 * A position in the write-ahead log as PostgreSQL prints it, like `16/B374D848`, as a number of bytes. Positions of a
 * primary and of its replicas can be compared.
 */
export function positionOf(lsn: string): bigint {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** When the primary was at which position. Times are milliseconds of one clock, and do not decrease. */
export interface Positions {
  /** Records that the primary has reached a position, and had not exceeded it at this time. */
  note(at: number, position: bigint): void;
  /**
   * For how many milliseconds at least the primary has had something that a replica at this position lacks. 0 if it
   * lacks nothing.
   */
  lagOf(replayed: bigint, now: number): number;
  /**
   * How many milliseconds ago at most the state of a replica at this position was that of the primary. Infinity if it
   * is unknown.
   */
  ageOf(replayed: bigint, now: number): number;
}

/** A position, and the first and the last time at which the primary was there. */
interface Stay {
  readonly position: bigint;
  readonly first: number;
  last: number;
}

/** Enough for an hour of one position per second. A longer lag counts as one hour. */
const maximumStays = 3_600;

/** Remembers the last positions of a primary. */
export function rememberPositions(): Positions {
  const stays: Stay[] = [];
  return {
    note: (at, position) => {
      const newest = stays.at(-1);
      // Another server has become the primary, without all changes of the former one.
      if (newest !== undefined && position < newest.position) stays.length = 0;
      if (newest?.position === position) newest.last = at;
      else stays.push({ position, first: at, last: at });
      if (stays.length > maximumStays) stays.shift();
    },
    lagOf: (replayed, now) => {
      const missing = stays.find(({ position }) => position > replayed);
      return missing ? now - missing.first : 0;
    },
    ageOf: (replayed, now) => {
      const reached = stays.findLast(({ position }) => position <= replayed);
      return reached ? now - reached.last : Infinity;
    },
  };
}
