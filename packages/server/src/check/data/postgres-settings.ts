import { counterConnections } from '../../limits/open-counters.ts';
import { jobConnections } from '../../scheduler/postgres-backend.ts';
import { Problem, Warning } from '../part.ts';
import type { DataContext } from './context.ts';
import { readConnections, readSettings } from './queries/read-server.ts';

interface Expected {
  readonly name: string;
  readonly values: readonly string[];
  readonly otherwise: typeof Problem | typeof Warning;
}

const durable = ['on', 'local', 'remote_write', 'remote_apply'];

/** The settings that the service relies on, the worst to lose first. The first value is the one to set. */
const expected: readonly Expected[] = [
  { name: 'fsync', values: ['on'], otherwise: Problem },
  { name: 'full_page_writes', values: ['on'], otherwise: Problem },
  { name: 'synchronous_commit', values: durable, otherwise: Problem },
  { name: 'default_transaction_isolation', values: ['read committed'], otherwise: Problem },
  { name: 'default_transaction_read_only', values: ['off'], otherwise: Problem },
  { name: 'autovacuum', values: ['on'], otherwise: Warning },
  { name: 'track_counts', values: ['on'], otherwise: Warning },
];

/** Checks the settings of PostgreSQL on which it depends whether data is safe, and whether processes can connect. */
export async function checkPostgresSettings({ config, read }: DataContext): Promise<string> {
  const { settings, connections } = await read(async (em) => ({
    settings: await readSettings(
      em,
      expected.map(({ name }) => name),
    ),
    connections: (await readConnections(em))[0] ?? { limit: 0, used: 0 },
  }));
  ensureSettings(new Map(settings.map(({ name, setting }) => [name, setting])));
  ensureConnections(connections, config.databasePoolSize + counterConnections + jobConnections);
  return `durable; ${connections.used} of ${connections.limit} connections are open`;
}

/** Throws if a setting does not have a value that the service relies on. */
export function ensureSettings(settings: ReadonlyMap<string, string>): void {
  const others = expected.filter(({ name, values }) => !values.includes(settings.get(name) ?? ''));
  const [worst] = others;
  if (worst === undefined) return;
  const what = others.map(({ name }) => `${name} is ${settings.get(name) ?? 'unknown'}`).join(', ');
  const wanted = others.map(({ name, values }) => `${name} to ${values[0]}`).join(', ');
  throw new worst.otherwise(what, `set ${wanted}`);
}

/** Throws if too few connections are left for a process, which opens up to `perProcess`. */
export function ensureConnections(
  { limit, used }: { readonly limit: number; readonly used: number },
  perProcess: number,
): void {
  const remedy = 'raise max_connections, or the limit of the database or its user, or lower DATABASE_POOL_SIZE';
  if (limit < perProcess) {
    throw new Problem(`${limit} connections are allowed, but a process opens up to ${perProcess}`, remedy);
  }
  if (limit - used < perProcess) {
    throw new Warning(
      `${used} of ${limit} connections are open, and one more process opens up to ${perProcess}`,
      remedy,
    );
  }
}
