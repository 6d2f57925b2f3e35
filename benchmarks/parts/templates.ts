import { contract, type BodyInput, type Contract, type Response } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { launchRun, must } from '@runward/testing/process';
import { compare, type Comparison } from '../harness/compare.ts';
import type { Part, SeededBench, Target } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';
import { download, timeEach } from '../harness/times.ts';

type Draft = BodyInput<Contract['templates.draft']['replace']>;
type Task = Draft['tasks'][number];

const tasks = 500;
const layers = 20;
const width = tasks / layers;

/** Measures requests that compute with large templates, and compares forms with many rules with forms without rules. */
export const templates: Part = {
  name: 'templates',
  needs: 'seed',
  measure: async (bench) => {
    const service = bench.stack.use(await startRunward({ ...bench, mode: 'production' }));
    const api = apiOf(service.url, bench.seeded.apiKey);
    const headers = headersOf(bench.seeded);
    const time = (path: string) => timeEach(20, () => download(service.url + path, headers));
    const aim = 'p95 <= 100';
    const figures = [
      { name: `dependency tree of ${tasks} tasks, ms`, ...(await time(await prepareTree(api))), aim },
      { name: `diff of two versions of ${tasks} tasks, ms`, ...(await time(await prepareDiff(api))), aim },
    ];
    return { comparisons: [await compareRules(bench, service, api)], figures };
  },
};

/** Returns the path of a dependency tree: a task that depends on hundreds of tasks, over 20 layers. */
async function prepareTree(api: Api): Promise<string> {
  const { id, draft } = await createTemplate(api, layered());
  const taskId = draft.tasks.at(-1)?.id ?? '';
  return contract['templates.dependencies'].tree.path.replace(':id', id).replace(':taskId', taskId);
}

/** Returns the path of a diff between two versions. One task in ten was changed, each in one of several ways. */
async function prepareDiff(api: Api): Promise<string> {
  const { id, draft } = await createTemplate(api, forms(tasks));
  await publish(api, id);
  await must(api.call('templates.draft', 'replace', { params: { id }, body: edited(draft) }));
  return contract['templates.versions'].diff.path.replace(':id', id).replace(':versionId', await publish(api, id));
}

/** Compares the form flow in runs of 50 tasks with 50 rules and in runs without rules. */
async function compareRules(bench: SeededBench, service: Target, api: Api): Promise<Comparison> {
  const { profile, seeded } = bench;
  const warmUp = Math.ceil(profile.warmUpFlows / 4);
  const flows = Math.ceil(profile.flows / 4);
  const count = profile.rounds * (warmUp + flows);
  const sides = {
    service: await launchForms(api, forms(50, 50), count),
    baseline: await launchForms(api, forms(50), count),
  };
  return compare(
    bench,
    { service, baseline: service },
    {
      name: 'form in runs of 50 tasks: 50 rules, and none',
      unit: 'flows/s',
      aim: 0.8,
      job: (url, phase, round, side) => {
        const { runTaskIds, fieldIds } = sides[side];
        const start = round * (warmUp + flows) + (phase === 'warm-up' ? 0 : warmUp);
        const values = fieldIds.map((runTaskFieldId, index) => ({ runTaskFieldId, value: `Value ${index}` }));
        const ids = runTaskIds.slice(start, start + (phase === 'warm-up' ? warmUp : flows));
        return { kind: 'forms', url, headers: headersOf(seeded), runTaskIds: ids, values };
      },
    },
  );
}

/** Tasks in layers. Each task depends on three tasks of the previous layer. */
function layered(): Draft {
  const depends = (index: number) => {
    const before = Math.floor(index / width) - 1;
    if (before < 0) return [];
    return [0, 1, 5].map((step) => `new:${before * width + ((index + step) % width)}`);
  };
  const all = Array.from({ length: tasks }, (_, index) => {
    return { id: `new:${index}`, title: `Task ${index}`, dependencies: depends(index) };
  });
  return { phases: [], variables: [], tasks: all };
}

/**
 * Tasks with a form of three fields. Ten of the rules read the form of the first task, and two of those match. Each
 * other rule reads the form of its own task.
 */
function forms(count: number, rules = 0): Draft {
  const fieldId = (task: number, place: number) => `new:field-${task}-${place}`;
  const all = Array.from({ length: count }, (_, index): Task => {
    const reads = fieldId(index < 10 ? 0 : index, index % 3);
    const value = index < 2 ? `Value ${index}` : `Value ${index + 100}`;
    const condition = { source: { type: 'FIELD' as const, fieldId: reads }, operator: 'EQUALS' as const, value };
    const target = (index + 1) % count || 1;
    return {
      id: `new:task-${index}`,
      title: `Task ${index}`,
      fields: [0, 1, 2].map((place) => ({ id: fieldId(index, place), label: `Field ${place}`, type: 'TEXT' })),
      rules:
        index < rules
          ? [{ conditions: [condition], actions: [{ type: 'HIDE', taskIds: [`new:task-${target}`] }] }]
          : [],
    };
  });
  return { phases: [], variables: [], tasks: all };
}

/** A draft in which every tenth task was renamed, removed, added or moved, or has its fields in another order. */
function edited({ version: _, ...draft }: Response<Contract['templates.draft']['get']>): Draft {
  const kept = draft.tasks.flatMap((task, index): Task[] => {
    if (index % 10 === 0) return [{ ...task, title: `${task.title}, renamed` }];
    if (index % 10 === 1) return [{ title: `Instead of ${task.title}`, fields: [{ label: 'New', type: 'TEXT' }] }];
    return [index % 10 === 2 ? { ...task, fields: task.fields.toReversed() } : task];
  });
  const moved = kept.filter((_task, index) => index % 10 === 3);
  return { ...draft, tasks: [...moved, ...kept.filter((task) => !moved.includes(task))] };
}

async function launchForms(api: Api, document: Draft, count: number) {
  const { id: templateId, draft } = await createTemplate(api, document);
  await publish(api, templateId);
  const [first] = draft.tasks;
  const runTaskIds: string[] = [];
  const waiting = Array.from({ length: count }).values();
  const launch = async () => {
    for (const _ of waiting) {
      const run = await launchRun(api, templateId);
      runTaskIds.push(run.tasks.find(({ taskId }) => taskId === first?.id)?.runTaskId ?? '');
    }
  };
  await Promise.all(Array.from({ length: 5 }, launch));
  return { runTaskIds, fieldIds: first?.fields.map(({ id }) => id) ?? [] };
}

async function createTemplate(api: Api, body: Draft) {
  const { id } = await must(api.call('templates', 'create', { body: { name: 'Benchmark' } }));
  return { id, draft: await must(api.call('templates.draft', 'replace', { params: { id }, body })) };
}

async function publish(api: Api, id: string): Promise<string> {
  return (await must(api.call('templates', 'publish', { params: { id } }))).id;
}
