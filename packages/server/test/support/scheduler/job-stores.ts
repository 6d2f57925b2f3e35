import { randomBytes } from 'node:crypto';
import { createDatabase, startDatabaseProxy } from '@runward/testing/database';
import { startProxy, type TcpProxy } from '@runward/testing/tcp-proxy';
import { MongoClient } from 'mongodb';
import { Client } from 'pg';

/** The job store of one test: a real server that schedulers reach through a proxy. */
export interface TestStore {
  readonly urls: { readonly databaseUrl: string; readonly jobsUrl?: string };
  readonly proxy: TcpProxy;
  /** The names of all rows, and of those that are locked. */
  names(): Promise<{ all: string[]; locked: string[] }>;
  /** Milliseconds from the last run of a job to its next one. */
  interval(name: string): Promise<number>;
  /** Removes all rows, like a server that lost its data. */
  clear(): Promise<void>;
  /** Sets when a job runs next, or since when it is locked. */
  set(name: string, time: 'nextRunAt' | 'lockedAt', at: Date): Promise<void>;
  /** Ends the connections of the schedulers at the server. */
  terminate(): Promise<void>;
  close(): Promise<void>;
}

/** The MongoDB that tests may use, as `scripts/with-mongo.ts` starts one. */
export const mongoTestUrl = process.env['MONGODB_TEST_URL'];

/** A database with the table of the jobs. */
export async function openPostgresStore(): Promise<TestStore> {
  const { url, drop } = await createDatabase();
  const { proxy, url: databaseUrl } = await startDatabaseProxy(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  const names = async (condition: string) => {
    const { rows } = await client.query<{ name: string }>(`select name from agenda_jobs where ${condition} order by 1`);
    return rows.map(({ name }) => name);
  };
  return {
    urls: { databaseUrl },
    proxy,
    names: async () => ({ all: await names('true'), locked: await names('locked_at is not null') }),
    interval: async (name) => {
      const between = 'extract(epoch from next_run_at - last_run_at) * 1000';
      const { rows } = await client.query<{ ms: string }>(`select ${between} as ms from agenda_jobs where name = $1`, [
        name,
      ]);
      return Number(rows[0]?.ms);
    },
    clear: async () => {
      await client.query('delete from agenda_jobs');
    },
    set: async (name, time, at) => {
      const column = time === 'nextRunAt' ? 'next_run_at' : 'locked_at';
      await client.query(`update agenda_jobs set ${column} = $2 where name = $1`, [name, at]);
    },
    terminate: async () => {
      const mine = "application_name = 'runward-jobs' and datname = current_database()";
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${mine}`);
    },
    close: async () => {
      await proxy[Symbol.asyncDispose]();
      await client.end();
      await drop();
    },
  };
}

/** A database of its own in the MongoDB that tests may use. */
export async function openMongoStore(): Promise<TestStore> {
  const given = new URL(mongoTestUrl ?? 'mongodb://unset');
  const proxy = await startProxy({ host: given.hostname, port: Number(given.port || 27_017) });
  const client = await MongoClient.connect(given.href);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const jobs = client.db(name).collection('runward_jobs');
  const names = async (condition: object) =>
    (await jobs.find(condition).sort({ name: 1 }).toArray()).map((job) => String(job['name']));
  const throughProxy = Object.assign(new URL(given), { host: `127.0.0.1:${proxy.port}`, pathname: `/${name}` });
  return {
    urls: { databaseUrl: 'postgres://127.0.0.1:1/unused', jobsUrl: throughProxy.href },
    proxy,
    names: async () => ({ all: await names({}), locked: await names({ lockedAt: { $ne: null } }) }),
    interval: async (job) => {
      const row = await jobs.findOne({ name: job });
      return Number(row?.['nextRunAt']) - Number(row?.['lastRunAt']);
    },
    clear: async () => {
      await client.db(name).dropDatabase();
    },
    set: async (name, time, at) => {
      await jobs.updateOne({ name }, { $set: { [time]: at } });
    },
    terminate: async () => proxy.drop(),
    close: async () => {
      await proxy[Symbol.asyncDispose]();
      await client.db(name).dropDatabase();
      await client.close();
    },
  };
}
