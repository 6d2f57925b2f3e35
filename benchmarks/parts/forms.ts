import type { Client } from '@runward/sdk';
import { compare, type Comparison } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { clientOf } from '../seed/file-target.ts';

/** The tasks of each run. */
export const tasks = 10;

/** Compares runs of ten tasks whose forms take one call each with the same runs step by step. */
export const forms: Part = {
  name: 'forms',
  needs: 'service',
  measure: async (bench) => {
    const { service, seeded, profile } = bench;
    const { templateId, values } = await createForms(clientOf(service.url, seeded.apiKey));
    const comparisons: Comparison[] = [];
    for (const [steps, aim] of [
      ['single values', 3],
      ['batch', 2],
    ] as const) {
      const comparison = await compare(
        bench,
        { service, baseline: service },
        {
          name: `run of ${tasks} forms: one call each, and open, ${steps}, complete`,
          unit: 'runs/s',
          aim,
          job: (url, phase, _round, side) => ({
            kind: 'runs',
            url,
            headers: headersOf(seeded),
            templateId,
            runs: Math.ceil((phase === 'warm-up' ? profile.warmUpFlows : profile.flows) / tasks),
            values,
            forms: side === 'service' ? 'one call' : steps,
          }),
        },
      );
      comparisons.push(comparison);
    }
    return { comparisons };
  },
};

/** Publishes a template of ten tasks, each with a form of three required fields. */
export async function createForms({ templates }: Client) {
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
