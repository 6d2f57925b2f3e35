import { contract } from '@runward/contract';
import type { Subject } from './compare.ts';
import type { Job } from './load.ts';
import type { Seed } from './seed.ts';

/** How long and how much. */
export interface Pace {
  readonly rounds: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Form flows for warming up in each round, and for measuring. */
  readonly warmUpFlows: number;
  readonly flows: number;
}

/** How many forms a whole run fills in on each side. */
export function formsNeeded({ rounds, warmUpFlows, flows }: Pace): number {
  return rounds * (warmUpFlows + flows);
}

/** The headers of every request, the key included; the floor does not look at them. */
export function headersOf({ apiKey }: Seed): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}

/** The body of every launch. */
export function launchBody({ templateId }: Seed): string {
  return JSON.stringify({ templateId });
}

/** What is measured, and the aims. Reads come first, while there are as many runs as were seeded. */
export function subjectsOf(seed: Seed, pace: Pace, runs: number): Subject[] {
  const { runs: run } = contract;
  const headers = headersOf(seed);
  const requests = (path: string, method: string, bodyOrPaths: string | readonly string[]): Subject['job'] => {
    const each =
      typeof bodyOrPaths === 'string'
        ? [{ method, path, body: bodyOrPaths }]
        : bodyOrPaths.map((path) => ({ method, path }));
    return (url, phase): Job => {
      const seconds = phase === 'warm-up' ? pace.warmUpSeconds : pace.seconds;
      return { kind: 'requests', url, headers, requests: each, seconds };
    };
  };
  const count = runs.toLocaleString('en');
  return [
    {
      name: `GET /runs?limit=50 (${count} runs)`,
      unit: 'req/s',
      aim: 0.6,
      job: requests(run.list.path, run.list.method, [`${run.list.path}?limit=50`]),
    },
    {
      name: 'GET /runs/:id (10 tasks)',
      unit: 'req/s',
      aim: 0.6,
      job: requests(
        run.get.path,
        run.get.method,
        seed.runIds.map((id) => run.get.path.replace(':id', id)),
      ),
    },
    {
      name: 'POST /runs (10 tasks)',
      unit: 'req/s',
      aim: 0.6,
      job: requests(run.launch.path, run.launch.method, launchBody(seed)),
    },
    { name: 'form: open, 3 values, complete', unit: 'flows/s', aim: 0.5, job: formJobs(seed, pace, headers) },
  ];
}

/** Every phase of every round takes forms of its own; the same ones on both sides, which have a database each. */
function formJobs(seed: Seed, { warmUpFlows, flows }: Pace, headers: Record<string, string>): Subject['job'] {
  const [name, amount, email] = seed.document.tasks[0]?.fields ?? [];
  const answers = [
    { runTaskFieldId: name?.id ?? '', value: 'Ada Lovelace' },
    { runTaskFieldId: amount?.id ?? '', value: 1815 },
    { runTaskFieldId: email?.id ?? '', value: 'ada@example.com' },
  ];
  return (url, phase, round): Job => {
    const start = round * (warmUpFlows + flows) + (phase === 'warm-up' ? 0 : warmUpFlows);
    const runTaskIds = seed.formTaskIds.slice(start, start + (phase === 'warm-up' ? warmUpFlows : flows));
    return { kind: 'forms', url, headers, runTaskIds, values: answers };
  };
}
