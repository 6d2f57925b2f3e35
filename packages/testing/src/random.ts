import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random choices that depend only on a seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A number from `least` up to, but not including, `most`. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** Creates a generator. Each `name` has its own, so that its choices do not depend on the speed of the others. */
export function createRandom(seed: number, name: string): Random {
  const generator = xoroshiro128plus(
    Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), seed),
  );
  const next = () => uniformFloat64(generator);
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick: (items) => items[uniformInt(generator, 0, items.length - 1)] ?? items[0],
    shuffle: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((one, other) => one.order - other.order)
        .map(({ item }) => item),
  };
}
