/** What `npm test` adds to the configuration of ava in `package.json`. */
import { relative } from 'node:path';
import manifest from './package.json' with { type: 'json' };

/** Files that run for ten seconds and more, the longest first. */
const slowest = [
  'packages/server/test/http/mutations.test.ts',
  'packages/server/test/access/ids.test.ts',
  'packages/server/test/access/statements.test.ts',
  'packages/server/test/access/resource-scope.test.ts',
  'examples/test/demo.test.ts',
  'packages/server/test/database/outage.test.ts',
  'packages/server/test/service.test.ts',
  'packages/server/test/scheduler/mongo-service.test.ts',
  'packages/server/test/roles.test.ts',
  'packages/server/test/scheduler/mongo-outage.test.ts',
  'packages/server/test/database/embedded/postgres.test.ts',
  'packages/server/test/admin/admin.test.ts',
  'packages/server/test/scheduler/postgres-outage.test.ts',
  'packages/server/test/database/embedded/account.test.ts',
  'packages/server/test/analytics/analytics.test.ts',
  'packages/server/test/http/every-endpoint.test.ts',
  'packages/server/test/http/guard.test.ts',
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
