/** Picks a whole number from 0 to below `count`. */
export type Pick = (count: number) => number;

/** A deterministic random number generator (mulberry32). The same seed repeats the same simulation. */
export function pickFrom(seed: number): Pick {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
}
