/** What `npm test` adds to the configuration of ava in `package.json`. */
import { relative } from 'node:path';
import manifest from './package.json' with { type: 'json' };

/** Files that run for ten seconds and more, the longest first. */
const slowest = [
  'scripts/test/packed.slow.test.ts',
  'packages/server/test/http/mutations.slow.test.ts',
  'packages/server/test/access/ids.slow.test.ts',
  'packages/server/test/access/statements.slow.test.ts',
  'packages/server/test/access/resource-scope.slow.test.ts',
  'examples/test/demo.slow.test.ts',
  'packages/server/test/database/outage.slow.test.ts',
  'packages/server/test/service.slow.test.ts',
  'packages/server/test/scheduler/mongo-service.slow.test.ts',
  'packages/server/test/roles.slow.test.ts',
  'packages/server/test/scheduler/mongo-outage.slow.test.ts',
  'packages/server/test/database/embedded/postgres.slow.test.ts',
  'packages/server/test/admin/admin.slow.test.ts',
  'packages/server/test/scheduler/postgres-outage.slow.test.ts',
  'packages/server/test/database/embedded/account.slow.test.ts',
  'packages/server/test/analytics/analytics.test.ts',
  'packages/server/test/http/every-endpoint.slow.test.ts',
  'packages/server/test/http/guard.slow.test.ts',
];

function rankOf(file: string): number {
  const rank = slowest.indexOf(relative(import.meta.dirname, file));
  return rank === -1 ? slowest.length : rank;
}

// oxlint-disable-next-line import/no-default-export -- ava reads it.
export default {
  ...manifest.ava,
  /** The slowest files begin first, so that none of them runs alone at the end. */
  sortTestFiles: (one: string, other: string) => rankOf(one) - rankOf(other) || one.localeCompare(other),
};
