import { contract } from '@runward/contract';
import type { Scenario } from './compare.ts';
import type { Job } from './load.ts';
import type { Seed } from './seed.ts';

/** How long and how much to measure. */
export interface Profile {
  readonly rounds: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Form flows for warming up in each round, and for measuring. */
  readonly warmUpFlows: number;
  readonly flows: number;
}

/** How many forms the benchmark fills in on each target. */
export function formsNeeded({ rounds, warmUpFlows, flows }: Profile): number {
  return rounds * (warmUpFlows + flows);
}

/** The headers of every request, including the key; the baseline ignores them. */
export function headersOf({ apiKey }: Seed): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}

/** The body of every launch. */
export function launchBody({ templateId }: Seed): string {
  return JSON.stringify({ templateId });
}

/** The scenarios and their aims. Reads come first, while there are only the seeded runs. */
export function scenariosOf(seed: Seed, profile: Profile, runs: number): Scenario[] {
  const { runs: run } = contract;
  const headers = headersOf(seed);
  const requests = (path: string, method: string, bodyOrPaths: string | readonly string[]): Scenario['job'] => {
    const each =
      typeof bodyOrPaths === 'string'
        ? [{ method, path, body: bodyOrPaths }]
        : bodyOrPaths.map((path) => ({ method, path }));
    return (url, phase): Job => {
      const seconds = phase === 'warm-up' ? profile.warmUpSeconds : profile.seconds;
      return { kind: 'requests', url, headers, requests: each, seconds };
    };
  };
  const count = runs.toLocaleString('en');
  return [
    {
      name: `GET /runs?limit=50 (${count} runs)`,
      unit: 'req/s',
      aim: 0.85,
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
      aim: 0.5,
      job: requests(run.launch.path, run.launch.method, launchBody(seed)),
    },
    { name: 'form: open, 3 values, complete', unit: 'flows/s', aim: 0.45, job: formJobs(seed, profile, headers) },
  ];
}

/** Every phase of every round has its own forms. Both targets fill in the same ones, each in its own database. */
function formJobs(seed: Seed, { warmUpFlows, flows }: Profile, headers: Record<string, string>): Scenario['job'] {
  const [name, amount, email] = seed.document.tasks[0]?.fields ?? [];
  const values = [
    { runTaskFieldId: name?.id ?? '', value: 'Ada Lovelace' },
    { runTaskFieldId: amount?.id ?? '', value: 1815 },
    { runTaskFieldId: email?.id ?? '', value: 'ada@example.com' },
  ];
  return (url, phase, round): Job => {
    const start = round * (warmUpFlows + flows) + (phase === 'warm-up' ? 0 : warmUpFlows);
    const runTaskIds = seed.formTaskIds.slice(start, start + (phase === 'warm-up' ? warmUpFlows : flows));
    return { kind: 'forms', url, headers, runTaskIds, values };
  };
}
