import { contract } from '@runward/contract';
import { median } from '../harness/measured.ts';
import type { Figure, Part, SeededBench } from '../harness/part.ts';
import { sending } from '../harness/profile.ts';
import { lineOf } from '../harness/report.ts';
import { startRunward } from '../harness/service.ts';
import { startLoadProcess, type LoadProcess } from '../load/load-process.ts';
import type { RequestJob } from '../load/load.ts';
import { disableWebhooks } from '../seed/disable-webhooks.ts';

/** Processes with the API that serve one database together. */
interface Group {
  readonly name: string;
  readonly urls: readonly string[];
}

const usualPoolSize = 10;
const otherPoolSizes = [2, 4, 20];
const mostProcesses = 3;
/** More than a process has connections to PostgreSQL, and a multiple of the numbers of processes, which share them. */
const clients = 48;

/** Reads and launches per second with few and many connections to PostgreSQL, and with one and several processes. */
export const processes: Part = {
  name: 'processes',
  needs: 'seed',
  measure: async (bench) => {
    const { templateId, runIds } = bench.seeded;
    const { list, get, launch } = contract.runs;
    const requests: Readonly<Record<string, RequestJob['requests']>> = {
      [`GET ${get.path}`]: runIds.map((id) => ({ method: get.method, path: get.path.replace(':id', id) })),
      [`GET ${list.path}`]: [{ method: list.method, path: list.path }],
      [`POST ${launch.path}`]: [{ method: launch.method, path: launch.path, body: JSON.stringify({ templateId }) }],
    };
    // No process delivers.
    await disableWebhooks(bench);
    const groups = await startGroups(bench);
    const loads = [bench.load];
    while (loads.length < mostProcesses) loads.push(bench.stack.use(await startLoadProcess(bench.folder)));
    const figures: Figure[] = [];
    for (const [name, sent] of Object.entries(requests)) {
      const rates = new Map(groups.map((group) => [group, [] as number[]]));
      for (let round = 0; round < bench.profile.rounds; round += 1) {
        for (const [{ urls }, measured] of rates) measured.push(await rateOf(bench, loads, urls, sent));
      }
      for (const [group, measured] of rates) {
        const figure = { name: `${name} per second, ${group.name}`, max: median(measured) };
        bench.log(lineOf(figure));
        figures.push(figure);
      }
    }
    return { figures };
  },
};

/** Starts processes with the usual number of connections, and one with each other number. */
async function startGroups(bench: SeededBench): Promise<Group[]> {
  const start = async (poolSize: number) => {
    const env = { DATABASE_POOL_SIZE: String(poolSize) };
    return bench.stack.use(await startRunward({ ...bench, mode: 'production', role: 'api', env })).url;
  };
  const urls: string[] = [];
  while (urls.length < mostProcesses) urls.push(await start(usualPoolSize));
  const groups = urls.map((_, index) => ({
    name: `${index + 1} x ${usualPoolSize} connections`,
    urls: urls.slice(0, index + 1),
  }));
  for (const size of otherPoolSizes) groups.push({ name: `1 x ${size} connections`, urls: [await start(size)] });
  return groups;
}

/** Requests per second of all processes of a group together. */
async function rateOf(
  bench: SeededBench,
  loads: readonly LoadProcess[],
  urls: readonly string[],
  requests: RequestJob['requests'],
): Promise<number> {
  const send = (phase: 'warm-up' | 'round') =>
    Promise.all(
      loads.slice(0, urls.length).map(async (load, index) => {
        const job = sending(bench, requests)(urls[index] ?? '', phase);
        const { milliseconds, seconds } = await load.measure({ ...job, connections: clients / urls.length });
        return milliseconds.length / seconds;
      }),
    );
  await send('warm-up');
  return (await send('round')).reduce((sum, rate) => sum + rate, 0);
}
