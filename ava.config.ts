/** What `npm test` adds to the configuration of ava in `package.json`. */
import { setFlagsFromString } from 'node:v8';
import manifest from './package.json' with { type: 'json' };

// The worker of a file lives for seconds, most of which it loads modules. Collecting garbage meanwhile, in threads of its
// own, took a tenth of the processor time of all tests.
for (const flag of ['--min-semi-space-size=16', '--single-threaded-gc']) setFlagsFromString(flag);

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
