import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countPending, query } from '../history/collect.ts';
import { childrenOf, type Postgres } from '../processes/postgres.ts';
import type { SupervisedProcess } from '../processes/supervised-process.ts';
import type { ProbeReading, ProbeRequest } from './probe.ts';
import type { Point, Recorder } from './series.ts';

/** What samples are taken of. */
export interface Sampled {
  readonly processes: readonly SupervisedProcess[];
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  /** The folders of temporary files. */
  readonly temporaryFolders: readonly string[];
  /** The most that the heap of each process has reserved so far, in bytes. Samples update it. */
  readonly heapPeaks: Map<string, number>;
}

/** Seconds of processor time, by process, since each started. */
export type ProcessorTimes = ReadonlyMap<string, number>;

const maxReadingMs = 10_000;
const megabyte = 1_000_000;

/**
 * Records what every process holds now. With `collect`, everything unreachable is collected first, so that the memory
 * in use is what the process cannot release.
 */
export async function sample(
  { processes, postgres, databaseUrl, temporaryFolders, heapPeaks }: Sampled,
  { record }: Recorder,
  { minutes, collect }: { readonly minutes: number; readonly collect: boolean },
): Promise<ProcessorTimes> {
  const at = (value: number): Point => ({ minutes, value });
  const times = new Map<string, number>();
  const connections = await query<{ name: string; count: number }>(
    databaseUrl,
    `select application_name as name, count(*)::int as count from pg_stat_activity
      where datname = current_database() group by application_name`,
  );
  for (const { name, baseUrl, current } of processes) {
    const { process, pid } = current();
    const reading = await readingOf(process, collect);
    const { resources } = reading;
    const heapPeak = Math.max(reading.heapReserved, heapPeaks.get(name) ?? 0);
    heapPeaks.set(name, heapPeak);
    if (collect) {
      const cached = await cachedBy(baseUrl);
      record(name, 'caches', at(cached / megabyte));
      record(name, 'memory in use', at((reading.heapUsed + reading.external - cached) / megabyte));
      record(name, 'memory outside the heap', at((reading.resident - heapPeak) / megabyte));
      record(name, 'resident memory', at(reading.resident / megabyte));
    }
    record(name, 'timers', at(resources['Timeout'] ?? 0));
    record(name, 'sockets', at(resources['TCPSocketWrap'] ?? 0));
    record(name, 'open files', at((await readdir(`/proc/${pid}/fd`)).length));
    record(name, 'connections to PostgreSQL', at(connections.find((each) => each.name === name)?.count ?? 0));
    const children = await childrenOf(pid);
    record(name, 'child processes', at(children.length));
    record(name, 'resident memory of child processes', at(await memoryOf(children, 'VmRSS')));
    times.set(name, reading.processorSeconds);
  }
  const backends = await childrenOf(postgres.pid());
  record('PostgreSQL', 'private memory of a connection', at((await memoryOf(backends, 'RssAnon')) / backends.length));
  record('PostgreSQL', 'child processes', at(backends.length));
  const { deliveries, ruleSyncs, files, mails } = await countPending(databaseUrl);
  record('service', 'pending work', at(deliveries + ruleSyncs + files + mails));
  const counts = await Promise.all(temporaryFolders.map(filesIn));
  record('service', 'temporary files', at(counts.reduce((sum, count) => sum + count, 0)));
  return times;
}

async function readingOf(child: ReturnType<SupervisedProcess['current']>['process'], collect: boolean) {
  const { promise, resolve, reject } = Promise.withResolvers<ProbeReading>();
  const timeout = setTimeout(() => reject(new Error('A process has not reported what it holds.')), maxReadingMs);
  child.once('message', resolve);
  child.send({ probe: 'read', collect } satisfies ProbeRequest);
  return promise.finally(() => clearTimeout(timeout));
}

/** What the caches of a process hold, in bytes, as it estimates it. */
async function cachedBy(baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/metrics`, { signal: AbortSignal.timeout(maxReadingMs) });
  const sizes = (await response.text()).matchAll(/^cache_bytes\{[^}]*\} (\S+)$/gm);
  return [...sizes].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

/** The sum of a memory value of processes, in megabytes. Those that have ended count as 0. */
async function memoryOf(pids: readonly number[], name: 'VmRSS' | 'RssAnon'): Promise<number> {
  const kilobytes = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    }),
  );
  return (kilobytes.reduce((sum, each) => sum + each, 0) * 1_024) / megabyte;
}

async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
}

/**
 * The folders of a data folder, and the one for temporary files of the system, in which files stay for a moment only.
 */
export function temporaryFoldersIn(dataDir: string): string[] {
  return ['uploads', 'documents', join('files', '.partial'), temporaryFolder].map((name) => join(dataDir, name));
}

/** The folder below the data folder that processes use as the one for temporary files of the system. */
export const temporaryFolder = 'tmp';
