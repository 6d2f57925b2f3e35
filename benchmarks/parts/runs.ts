import { contract } from '@runward/contract';
import { baselineReady, writeBaseline } from '../baseline/callers.ts';
import { compare, type Scenario } from '../harness/compare.ts';
import type { Part, SeededBench } from '../harness/part.ts';
import { headersOf, sending } from '../harness/profile.ts';
import { startServer } from '../harness/server-process.ts';
import type { Job } from '../load/load.ts';
import { runCount } from '../seed/seed.ts';
import { answersFor } from '../seed/template.ts';
import { measureExport } from './export.ts';

/** Measures the export of all runs, and compares the simplest requests with the baseline. */
export const runs: Part = {
  name: 'runs',
  needs: 'service',
  measure: async (bench) => {
    const { postgres, folder, seeded, service, stack, log } = bench;
    const { document } = seeded;
    const callers = { [headersOf(seeded).authorization]: seeded };
    const file = await writeBaseline(folder, 'baseline', { callers, taskIds: document.tasks.map(({ id }) => id) });
    const env = { DATABASE_URL: postgres.url('baseline'), NODE_ENV: 'production' };
    const options = { args: [file], env, cwd: folder };
    const baseline = stack.use(await startServer('benchmarks/baseline/server.ts', options, baselineReady));

    log(`Exporting ${runCount.toLocaleString('en')} runs ...`);
    const exported = await measureExport(service.url, headersOf(seeded), runCount);
    const comparisons = [];
    for (const scenario of scenariosOf(bench)) comparisons.push(await compare(bench, { service, baseline }, scenario));
    const figures = [
      { name: `CSV of ${exported.runs.toLocaleString('en')} runs, first byte, s`, max: exported.firstByte, aim: '< 1' },
      { name: `the whole CSV (${exported.megabytes.toFixed(0)} MB), s`, max: exported.last },
    ];
    return { comparisons, figures, results: { exported } };
  },
};

/** Reads come first, while there are only the seeded runs. */
function scenariosOf(bench: SeededBench): Scenario[] {
  const { list, get, launch } = contract.runs;
  const { runIds, templateId } = bench.seeded;
  const each = runIds.map((id) => ({ method: get.method, path: get.path.replace(':id', id) }));
  const body = JSON.stringify({ templateId });
  return [
    {
      name: `GET /runs?limit=50 (${runCount.toLocaleString('en')} runs)`,
      unit: 'req/s',
      aim: 0.85,
      job: sending(bench, [{ method: list.method, path: `${list.path}?limit=50` }]),
    },
    { name: 'GET /runs/:id (10 tasks)', unit: 'req/s', aim: 0.6, job: sending(bench, each) },
    {
      name: 'POST /runs (10 tasks)',
      unit: 'req/s',
      aim: 0.5,
      job: sending(bench, [{ method: launch.method, path: launch.path, body }]),
    },
    { name: 'form: open, 3 values, complete', unit: 'flows/s', aim: 0.45, job: formJobs(bench) },
  ];
}

/** Every phase of every round has its own forms. Both targets fill in the same forms, each in its own database. */
function formJobs({ seeded, profile: { warmUpFlows, flows } }: SeededBench): Scenario['job'] {
  const values = answersFor(seeded.document.tasks[0]?.fields.map(({ id }) => id) ?? []);
  return (url, phase, round): Job => {
    const start = round * (warmUpFlows + flows) + (phase === 'warm-up' ? 0 : warmUpFlows);
    const runTaskIds = seeded.formTaskIds.slice(start, start + (phase === 'warm-up' ? warmUpFlows : flows));
    return { kind: 'forms', url, headers: headersOf(seeded), runTaskIds, values };
  };
}
