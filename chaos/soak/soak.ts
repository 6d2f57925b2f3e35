import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '@runward/testing/program';
import type { Alongside } from '../chaos-run.ts';
import type { Cluster, ClusterOptions } from '../processes/cluster.ts';
import type { Postgres } from '../processes/postgres.ts';
import { steady } from '../workloads/pace.ts';
import { countTables } from './count-tables.ts';
import { judgeSeries, judgeTables, warmUpMinutes, type Census } from './judge.ts';
import { probeVariable } from './probe.ts';
import { startReaders } from './readers.ts';
import { sample, temporaryFolder, temporaryFoldersIn, type ProcessorTimes } from './sampler.ts';
import { createRecorder } from './series.ts';
import { describeTables, describeTrends } from './soak-report.ts';
import { tablePlan } from './table-plan.ts';

/** A soak beside the clients of a run. */
export interface Soak extends Alongside {
  /** What was measured, one line each, and what violates the limits. Call it after the run. */
  outcome(): { readonly lines: readonly string[]; readonly problems: readonly string[] };
}

/** What a soak observes. */
export interface SoakOptions {
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  /** The data folder of the cluster. */
  readonly folder: string;
  /** How long the clients work. */
  readonly durationMs: number;
  readonly log: (line: string) => void;
}

const sampleMs = 15_000;
const samplesPerCollection = 4;

/** How the processes of a cluster are started for a soak: as `npm start` does, with a probe, at a steady rate. */
export async function soakedCluster(
  folder: string,
  requestsPerSecond: number,
): Promise<Pick<ClusterOptions, 'flags' | 'env' | 'pace'>> {
  const temporary = join(folder, temporaryFolder);
  await mkdir(temporary, { mode: 0o700 });
  const probe = join(repository, 'chaos/soak/probe.ts');
  return {
    flags: [
      '--max-old-space-size=256',
      '--max-semi-space-size=4',
      '--expose-gc',
      '--heapsnapshot-signal=SIGUSR2',
      '--import',
      probe,
    ],
    env: { [probeVariable]: '1', TMPDIR: temporary },
    pace: steady(requestsPerSecond),
  };
}

/** Starts the readers, and takes samples until the clients stop. */
export async function startSoak(cluster: Cluster, options: SoakOptions): Promise<Soak> {
  const { databaseUrl, folder, durationMs, log } = options;
  const processes = [...cluster.apis, ...cluster.workers];
  const sampled = { ...options, processes, temporaryFolders: temporaryFoldersIn(folder), heapPeaks: new Map() };
  const recorder = createRecorder();
  const startedAt = Date.now();
  const minutes = () => (Date.now() - startedAt) / 60_000;
  const census = async (): Promise<Census> => ({
    tables: await countTables(databaseUrl),
    requests: cluster.clients.sent(),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const warmUpMs = Math.min(warmUpMinutes * 60_000, durationMs / 3);

  const start = await census();
  let warm = start;
  let end = start;
  const take = async () => {
    let before: { readonly at: number; readonly times: ProcessorTimes } | null = null;
    for (let count = 0; !signal.aborted; count += 1) {
      const collect = count % samplesPerCollection === 0;
      const times = await sample(sampled, recorder, { minutes: minutes(), collect });
      const last = recorder.series.map(({ of, measure, points }) => ({ of, measure, ...points.at(-1) }));
      await appendFile(join(folder, 'samples.jsonl'), `${JSON.stringify(last)}\n`);
      if (warm === start && Date.now() - startedAt >= warmUpMs) warm = await census();
      if (collect) {
        log(progress(minutes(), recorder.series, before && { ...before, now: times }));
        before = { at: Date.now(), times };
      }
      await pause(sampleMs, undefined, { signal }).catch(() => {});
    }
  };
  const taken = take();
  // A failure is reported by `stop`.
  taken.catch(() => {});
  const readers = await startReaders(cluster);

  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([taken, readers.stop()]);
    },
    settled: async () => {
      end = await census();
    },
    outcome: () => {
      const trends = recorder.series.map(judgeSeries);
      const tables = judgeTables([start, warm, end], tablePlan);
      const problems = [...trends, ...tables].flatMap(({ problem }) => problem ?? []);
      const read = [...readers.counts].map(([kind, count]) => `${kind} ${count}`);
      return {
        lines: [describeTrends(trends), describeTables(tables), `reads: ${read.join(', ')}`],
        problems: [...problems, ...readers.failures],
      };
    },
  };
}

function progress(
  minutes: number,
  series: ReturnType<typeof createRecorder>['series'],
  times: { readonly at: number; readonly times: ProcessorTimes; readonly now: ProcessorTimes } | null,
): string {
  const memory = series
    .filter(({ measure }) => measure === 'memory in use')
    .map(({ of, points }) => `${of} ${(points.at(-1)?.value ?? 0).toFixed(1)}`);
  const seconds = times ? [...times.now].reduce((sum, [name, now]) => sum + now - (times.times.get(name) ?? 0), 0) : 0;
  const share = times
    ? `; the service used ${((100 * seconds * 1_000) / (Date.now() - times.at)).toFixed(0)} % of a core`
    : '';
  return `soak, ${minutes.toFixed(1)} min: ${memory.join(', ')} MB in use${share}`;
}
