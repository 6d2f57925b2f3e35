import { contract, type BodyInput, type Contract, type Endpoint, type Response } from '@runward/contract';
import type { Comparison, Bench } from './compare.ts';
import { compare } from './compare.ts';
import type { Spread } from './latency.ts';
import { percentile } from './measured.ts';
import type { Profile } from './scenarios.ts';

type Draft = BodyInput<Contract['templates.draft']['replace']>;
type Task = Draft['tasks'][number];

/** How long requests take that compute with large templates, in milliseconds. */
export interface TemplateTimes {
  /** The dependency tree of a task that depends, over 20 layers, on hundreds of 500 tasks. */
  readonly tree: Spread;
  /** The diff of two versions of 500 tasks. */
  readonly diff: Spread;
}

const tasks = 500;
const layers = 20;
const width = tasks / layers;
const requests = 20;

/** The API with the key of the benchmark. Throws if a response is not a success. */
interface Caller {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Measures requests for dependency trees and diffs, one after the other. */
export async function measureTemplateTimes(caller: Caller): Promise<TemplateTimes> {
  const tree = await createTemplate(caller, layered());
  const last = (await readDraft(caller, tree)).tasks.at(-1)?.id ?? '';
  const treePath = pathOf(contract['templates.dependencies'].tree, [tree, last]);

  const template = await createTemplate(caller, forms(tasks));
  await publish(caller, template);
  await call(caller, contract['templates.draft'].replace, [template], edited(await readDraft(caller, template)));
  const diffPath = pathOf(contract['templates.versions'].diff, [template, await publish(caller, template)]);
  return { tree: await time(caller, treePath), diff: await time(caller, diffPath) };
}

/** Compares the form flow in runs of 50 tasks with 50 rules with the same in runs without rules. */
export async function compareRules(bench: Bench, caller: Caller, profile: Profile): Promise<Comparison> {
  const warmUp = Math.ceil(profile.warmUpFlows / 4);
  const flows = Math.ceil(profile.flows / 4);
  const count = profile.rounds * (warmUp + flows);
  const sides = {
    service: await launchForms(caller, forms(50, 50), count),
    baseline: await launchForms(caller, forms(50), count),
  };
  return compare(bench, {
    name: 'form in runs of 50 tasks: 50 rules, and none',
    unit: 'flows/s',
    aim: 0.8,
    job: (url, phase, round, side) => {
      const { runTaskIds, fieldIds } = sides[side];
      const start = round * (warmUp + flows) + (phase === 'warm-up' ? 0 : warmUp);
      const values = fieldIds.map((runTaskFieldId, index) => ({ runTaskFieldId, value: `Value ${index}` }));
      const ids = runTaskIds.slice(start, start + (phase === 'warm-up' ? warmUp : flows));
      return { kind: 'forms', url, headers: caller.headers, runTaskIds: ids, values };
    },
  });
}

/** Tasks in layers, each of which depends on three tasks of the layer before. */
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

/** Tasks with a form of three fields. Ten of the rules read the form of the first task, of which two match; the others their own form. */
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

/** A draft with every tenth task renamed, removed, added, moved or with its fields in another order. */
function edited({ version: _, ...draft }: Response<Contract['templates.draft']['get']>): Draft {
  const kept = draft.tasks.flatMap((task, index): Task[] => {
    if (index % 10 === 0) return [{ ...task, title: `${task.title}, renamed` }];
    if (index % 10 === 1) return [{ title: `Instead of ${task.title}`, fields: [{ label: 'New', type: 'TEXT' }] }];
    return [index % 10 === 2 ? { ...task, fields: task.fields.toReversed() } : task];
  });
  const moved = kept.filter((_task, index) => index % 10 === 3);
  return { ...draft, tasks: [...moved, ...kept.filter((task) => !moved.includes(task))] };
}

async function launchForms(caller: Caller, document: Draft, count: number) {
  const templateId = await createTemplate(caller, document);
  await publish(caller, templateId);
  const [first] = (await readDraft(caller, templateId)).tasks;
  const runTaskIds: string[] = [];
  const waiting = Array.from({ length: count }).values();
  const launch = async () => {
    for (const _ of waiting) {
      const { id } = await call(caller, contract.runs.launch, [], { templateId });
      const run = await call(caller, contract.runs.get, [id]);
      runTaskIds.push(run.tasks.find(({ taskId }) => taskId === first?.id)?.runTaskId ?? '');
    }
  };
  await Promise.all(Array.from({ length: 5 }, launch));
  return { runTaskIds, fieldIds: first?.fields.map(({ id }) => id) ?? [] };
}

async function createTemplate(caller: Caller, document: Draft): Promise<string> {
  const { id } = await call(caller, contract.templates.create, [], { name: 'Benchmark' });
  await call(caller, contract['templates.draft'].replace, [id], document);
  return id;
}

async function publish(caller: Caller, id: string): Promise<string> {
  return (await call(caller, contract.templates.publish, [id])).id;
}

async function readDraft(caller: Caller, id: string) {
  return call(caller, contract['templates.draft'].get, [id]);
}

async function time({ url, headers }: Caller, path: string): Promise<Spread> {
  const milliseconds: number[] = [];
  for (let count = 0; count < requests + 5; count += 1) {
    const start = performance.now();
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}.`);
    // The first ones compile code and fill caches.
    if (count >= 5) milliseconds.push(performance.now() - start);
  }
  return { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95), max: Math.max(...milliseconds) };
}

async function call<E extends Endpoint>(
  { url, headers }: Caller,
  endpoint: E,
  ids: readonly string[],
  body?: BodyInput<E>,
): Promise<Response<E>> {
  const { method } = endpoint;
  const path = pathOf(endpoint, ids);
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Response<E>;
}

/** The path of an endpoint with these ids for its parameters, in order. */
function pathOf({ path }: Endpoint, ids: readonly string[]): string {
  const left = [...ids];
  return path.replaceAll(/:\w+/g, () => left.shift() ?? '');
}
