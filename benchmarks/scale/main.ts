/**
 * Measures a large installation: `npm run bench -- --scale [--runs N] [--folder FOLDER]`. One database has an organization with N runs of ten
 * tasks, 1,000,000 by default, the other N / 100 organizations with 100 runs of two tasks. See README.md.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiOf } from '@runward/testing/api';
import { Client } from 'pg';
import { startDatabase } from '../database.ts';
import { startWithRuns } from '../many-runs.ts';
import { copyOrganization, measureManyOrganizations } from './many-organizations.ts';
import { measureOneOrganization } from './one-organization.ts';
import { timeOnce, type Log } from './timed.ts';

const runsOfEach = 100;

/** Measures both databases. With a folder, the data stays there, to be measured again. */
export async function measureScale(runs: number, given: string | undefined, log: Log): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { postgres, folder } = await startDatabase(given, stack);
  const open = async (databaseUrl: string) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    stack.defer(() => client.end());
    return client;
  };
  /** Inserts runs, and leaves the service stopped. */
  const prepare = async (databaseUrl: string, amount: { runs: number; tasks: number }) => {
    await using seeding = new AsyncDisposableStack();
    await startWithRuns({ ...amount, databaseUrl, folder, log }, seeding);
    return readFile(join(folder, `benchmark-key-${amount.runs}`), 'utf8');
  };
  const measured = async (databaseUrl: string, apiKey: string) => {
    const client = await open(databaseUrl);
    await client.query('create extension if not exists tsm_system_rows');
    return { databaseUrl, folder, client, apiKey, apiOf: (url: string) => apiOf(url, apiKey), runs, log };
  };

  log(`\nOne organization with ${runs} runs of 10 tasks`);
  const one = postgres.url('one_organization');
  await measureOneOrganization(await measured(one, await prepare(one, { runs, tasks: 10 })));

  const organizations = Math.max(2, Math.round(runs / runsOfEach));
  log(`\n${organizations} organizations with ${runsOfEach} runs of 2 tasks each`);
  const many = postgres.url('many_organizations');
  const apiKey = await prepare(many, { runs: runsOfEach, tasks: 2 });
  const large = await measured(many, apiKey);
  const { rows } = await large.client.query<{ count: number }>('select count(*)::int as count from organizations');
  if (rows[0]?.count === 1) {
    await timeOnce('copying the organization', log, () => copyOrganization(large.client, organizations));
  }
  await measureManyOrganizations({ ...large, organizations });
}
