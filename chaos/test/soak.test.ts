import { entities } from '@runward/server/internal/database/entities';
import test from 'ava';
import { judgeSeries, judgeTables, type Census } from '../soak/judge.ts';
import { createRecorder, type Measure, type Point } from '../soak/series.ts';
import { tablePlan } from '../soak/table-plan.ts';
import { lowestAtEnds, slopePerHour } from '../soak/trend.ts';
import { steady } from '../workloads/pace.ts';

/** A value a minute, for an hour. */
const everyMinute = (valueAt: (minutes: number) => number): Point[] =>
  Array.from({ length: 61 }, (_, minutes) => ({ minutes, value: valueAt(minutes) }));

const judged = (measure: Measure, points: readonly Point[]) => judgeSeries({ of: 'api 1', measure, points });

test('the slope of points on a line is that of the line, and noise does not change it', (t) => {
  t.is(slopePerHour(everyMinute((minutes) => 80 + minutes / 2)).toFixed(6), '30.000000');
  const noise = (minutes: number) => (minutes % 2 === 0 ? 5 : -5);
  t.true(Math.abs(slopePerHour(everyMinute((minutes) => 80 + noise(minutes)))) < 0.5);
  t.is(slopePerHour([]), 0);
  t.is(slopePerHour([{ minutes: 1, value: 5 }]), 0);
});

test('the lowest values at the ends are those of the first and of the last ten minutes', (t) => {
  const points = everyMinute((minutes) => 100 + minutes);
  t.deepEqual(lowestAtEnds(points, 10), { first: 100, last: 150 });
});

test('memory that grows while the service warms up is no violation, and memory that grows afterwards is one', (t) => {
  const warm = judged(
    'memory in use',
    everyMinute((minutes) => Math.min(minutes, 10) * 10),
  );
  t.is(warm.problem, null);
  t.is(warm.perHour, 0);
  t.is(warm.first, 100);
  const leak = judged(
    'memory in use',
    everyMinute((minutes) => 100 + minutes / 5),
  );
  t.is(leak.problem, 'api 1: memory in use grew by 12.0 MB per hour; 10 are allowed');
});

test('resident memory and caches that grow are shown, and are no violation', (t) => {
  for (const measure of ['resident memory', 'caches'] as const) {
    const { perHour, problem } = judged(
      measure,
      everyMinute((minutes) => minutes),
    );
    t.deepEqual([perHour.toFixed(3), problem], ['60.000', null]);
  }
});

test('memory of a run too short for a slope is not judged', (t) => {
  const minutes = everyMinute((each) => 100 + each).slice(0, 21);
  const { perHour, problem } = judged('memory in use', minutes);
  t.is(perHour.toFixed(3), '60.000');
  t.is(problem, null);
});

test('more open files at the end, at any time, are a violation, and a peak or a busier time is none', (t) => {
  const peak = judged(
    'open files',
    everyMinute((minutes) => (minutes === 30 ? 400 : 40)),
  );
  t.is(peak.problem, null);
  t.is(peak.highest, 400);
  const busier = judged(
    'open files',
    everyMinute((minutes) => (minutes > 30 && minutes % 5 > 0 ? 70 : 40)),
  );
  t.is(busier.problem, null);
  const leak = judged(
    'open files',
    everyMinute((minutes) => 40 + minutes),
  );
  t.is(leak.problem, 'api 1: open files grew from 50 to 90');
});

test('the tables of the plan are those of the service and the libraries that it uses', (t) => {
  const ofEntities = entities.map(({ meta }) => meta.tableName);
  t.deepEqual(Object.keys(tablePlan).toSorted(), [...ofEntities, 'agenda_jobs', 'rate_limits'].toSorted());
});

const census = (requests: number, rows: Readonly<Record<string, number>>): Census => ({
  requests,
  tables: Object.entries(rows).map(([table, count]) => ({ table, rows: count, bytes: 0 })),
});
const problemsOf = (...counts: [Census, Census, Census]) =>
  judgeTables(counts, { runs: { growsWith: 'runs' }, jobs: { most: 20 } }).flatMap(({ problem }) => problem ?? []);

test('a table may grow with the requests, but not faster and faster', (t) => {
  const [start, warm] = [census(0, { runs: 0 }), census(1_000, { runs: 500 })];
  t.deepEqual(problemsOf(start, warm, census(6_000, { runs: 3_000 })), []);
  t.deepEqual(problemsOf(start, warm, census(6_000, { runs: 8_000 })), [
    'runs: grew by 150.0 rows per 100 requests, before by 50.0',
  ]);
});

test('a table with a bound may not exceed it, and each table needs a plan', (t) => {
  const start = census(0, { jobs: 17 });
  t.deepEqual(problemsOf(start, start, census(10, { jobs: 20 })), []);
  t.deepEqual(problemsOf(start, start, census(10, { jobs: 21 })), ['jobs: has 21 rows; the plan says at most 20']);
  t.deepEqual(problemsOf(start, start, census(10, { others: 1 })), ['others: has no plan; add it to table-plan.ts']);
});

test('points of one process and measure are one series', (t) => {
  const { series, record } = createRecorder();
  record('api 1', 'timers', { minutes: 0, value: 1 });
  record('api 2', 'timers', { minutes: 0, value: 2 });
  record('api 1', 'timers', { minutes: 1, value: 3 });
  t.deepEqual(
    series.map(({ of, points }) => [of, points.map(({ value }) => value)]),
    [
      ['api 1', [1, 3]],
      ['api 2', [2]],
    ],
  );
});

test('requests at a steady rate begin at equal distances, in the order in which they asked, without a burst after a pause', async (t) => {
  const pace = steady(50);
  const begun: { readonly name: number; readonly at: number }[] = [];
  const request = async (name: number) => {
    await pace();
    begun.push({ name, at: performance.now() });
  };
  await request(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const from = performance.now();
  await Promise.all([1, 2, 3, 4].map(request));
  t.deepEqual(
    begun.map(({ name }) => name),
    [0, 1, 2, 3, 4],
  );
  // Timers of Node fire up to a millisecond early.
  t.true((begun.at(-1)?.at ?? 0) - from >= 3 * 20 - 4);
});
