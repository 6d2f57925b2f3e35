/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A number from `least` up to `most`. */
  between(least: number, most: number): number;
  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing;
  shuffle<Thing>(things: readonly Thing[]): Thing[];
}

/** Choices of one who makes them: each has its own, so that nobody's depend on how fast the others are. */
export function createRandom(seed: number, name: string): Random {
  let state = Buffer.from(name).reduce((sum, byte) => Math.imul(sum ^ byte, 16_777_619), seed) >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick: (things) => things[Math.floor(next() * things.length)] ?? things[0],
    shuffle: (things) =>
      things
        .map((thing) => ({ thing, place: next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ thing }) => thing),
  };
}
