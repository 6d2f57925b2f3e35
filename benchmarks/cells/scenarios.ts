import { contract } from '@runward/contract';
import { compare, roundLine, summarize, type Comparison, type Round, type Scenario } from '../harness/compare.ts';
import type { Bench } from '../harness/part.ts';
import { headersOf, sending } from '../harness/profile.ts';
import { startLoadProcess, type LoadProcess } from '../load/load-process.ts';
import type { Job } from '../load/load.ts';
import type { Content, Place } from './place.ts';

const { list, get, launch } = contract.runs;

const launches = ({ templateId }: Content) => [
  { method: launch.method, path: launch.path, body: JSON.stringify({ templateId }) },
];

const requestsOf = {
  [`GET ${list.path}?limit=50`]: () => [{ method: list.method, path: `${list.path}?limit=50` }],
  [`GET ${get.path}`]: ({ runIds }: Content) =>
    runIds.map((id) => ({ method: get.method, path: get.path.replace(':id', id) })),
  [`POST ${launch.path}`]: launches,
};

/** Compares a way to the database with the direct one. */
export async function compareWays(bench: Bench, way: Place, direct: Place): Promise<Comparison[]> {
  const places = { service: way, baseline: direct };
  // The processes of PostgreSQL differ, and are many on a cluster, so their CPU time is not reported.
  const measuring = { ...bench, postgres: { ...bench.postgres, pid: -1 }, databaseUrl: way.databaseUrl };
  const requests = Object.entries(requestsOf).map(([name, of]): Scenario => ({
    name: `${way.name}: ${name}`,
    unit: 'req/s',
    aim: 0.8,
    job: (url, phase, _, side) => {
      const { seeded } = places[side];
      return sending({ ...bench, seeded }, of(seeded))(url, phase);
    },
  }));
  const forms: Scenario = {
    name: `${way.name}: runs of ten forms`,
    unit: 'runs/s',
    aim: 0.8,
    job: (url, phase, _, side): Job => {
      const { seeded } = places[side];
      const { warmUpFlows, flows } = bench.profile;
      const runs = (phase === 'warm-up' ? warmUpFlows : flows) / 10;
      return { ...seeded, kind: 'runs', url, headers: headersOf(seeded), runs, forms: 'one call' };
    },
  };
  const comparisons: Comparison[] = [];
  for (const scenario of [...requests, forms]) comparisons.push(await compare(measuring, places, scenario));
  return comparisons;
}

/** Compares launches in two cells at the same time with launches in the first one. */
export async function compareTwo(bench: Bench, first: Place, second: Place): Promise<Comparison> {
  const another = bench.stack.use(await startLoadProcess(bench.folder));
  const rate = async (load: LoadProcess, { url, seeded }: Place): Promise<number> => {
    const { milliseconds, seconds } = await load.measure(sending({ ...bench, seeded }, launches(seeded))(url, 'round'));
    return milliseconds.length / seconds;
  };
  const scenario = { name: 'two cells on two workers: POST /runs', unit: 'req/s', aim: 1.8 } as const;
  const rounds: { service: Round; baseline: Round }[] = [];
  for (let round = 0; round < bench.profile.rounds; round += 1) {
    const [one, other] = await Promise.all([rate(bench.load, first), rate(another, second)]);
    const measured = { service: onlyRate(one + other), baseline: onlyRate(await rate(bench.load, first)) };
    bench.log(roundLine(scenario, round, measured));
    rounds.push(measured);
  }
  return summarize(scenario, rounds);
}

function onlyRate(perSecond: number): Round {
  return { perSecond, p50: null, p99: null, serverCpu: null, postgresCpu: null, waiting: 0 };
}
