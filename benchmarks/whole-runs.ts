import type { Client } from '@runward/sdk';
import { compare, type Bench, type Comparison } from './compare.ts';
import { clientOf } from './file-target.ts';
import type { FormJob } from './form-flow.ts';
import type { Profile } from './scenarios.ts';
import type { Seed } from './seed.ts';

const tasks = 10;

/** Compares runs of ten tasks whose forms are filled in with one call each with the same runs step by step. */
export async function compareWholeRuns(
  bench: Bench,
  { apiKey }: Seed,
  headers: FormJob['headers'],
  { warmUpFlows, flows }: Profile,
): Promise<Comparison[]> {
  const { templateId, values } = await createForms(clientOf(bench.service.url, apiKey));
  const comparisons: Comparison[] = [];
  for (const [forms, aim] of [
    ['single values', 3],
    ['batch', 2],
  ] as const) {
    const comparison = await compare(bench, {
      name: `run of ${tasks} forms: one call each, and open, ${forms}, complete`,
      unit: 'runs/s',
      aim,
      job: (url, phase, _round, side) => ({
        kind: 'runs',
        url,
        headers,
        templateId,
        runs: Math.ceil((phase === 'warm-up' ? warmUpFlows : flows) / tasks),
        values,
        forms: side === 'service' ? 'one call' : forms,
      }),
    });
    comparisons.push(comparison);
  }
  return comparisons;
}

/** Publishes a template of ten tasks with a form of three required fields each. */
async function createForms({ templates }: Client) {
  const { id: templateId } = await templates.create({ name: 'Forms' });
  const field = (label: string) => ({ label, type: 'TEXT' as const, required: true });
  const task = (_: unknown, index: number) => ({
    title: `Task ${index + 1}`,
    fields: [field('Name'), field('Place'), field('Date')],
  });
  await templates.draft.replace(templateId, { phases: [], variables: [], tasks: Array.from({ length: tasks }, task) });
  await templates.publish(templateId);
  const { tasks: drafted } = await templates.draft.get(templateId);
  const values = Object.fromEntries(
    drafted.map(({ id, fields }) => [id, fields.map((each) => ({ runTaskFieldId: each.id, value: each.label }))]),
  );
  return { templateId, values };
}
