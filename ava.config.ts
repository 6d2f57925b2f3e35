/** What `npm test` adds to the configuration of ava in `package.json`. */
import manifest from './package.json' with { type: 'json' };

/**
 * Files that begin first, so that none of them runs alone at the end: those that install packages or send every
 * endpoint's requests.
 */
const first = [/\/packed\./, /\/mutations\./, /\/access\/.*\.slow\./, /\/scripts\/.*\.slow\./, /\.slow\./];

function rankOf(file: string): number {
  const rank = first.findIndex((pattern) => pattern.test(file));
  return rank === -1 ? first.length : rank;
}

// oxlint-disable-next-line import/no-default-export -- ava reads it.
export default {
  ...manifest.ava,
  sortTestFiles: (one: string, other: string) => rankOf(one) - rankOf(other) || one.localeCompare(other),
};
