import { maximumFindings, maximumGroups, type Contract, type Response } from '@runward/contract';
import type { Kysely } from 'kysely';
import { instant } from '../database/instant.ts';
import type { Tables } from '../database/tables.ts';
import { presentFigures, presentQuantiles, rate } from './present-figures.ts';
import { readFiguresBy, type Counts, type CycleTime, type Part } from './queries/figures.ts';
import { namesOf, titlesOf } from './queries/names.ts';
import type { Population } from './queries/population.ts';
import { listStalled, type StalledRow } from './queries/stalled.ts';
import { listAssignees, listBottlenecks, type AssigneeRow, type BottleneckRow } from './queries/tasks.ts';
import { summarize } from './summarize.ts';

type Advanced = Response<Contract['analytics']['advanced']>;
type Item<List extends keyof Advanced> = Advanced[List] extends (infer Each)[] ? Each : never;

/** The advanced analytics of a population. */
export async function analyze(db: Kysely<Tables>, population: Population): Promise<Advanced> {
  const { organizationId } = population.scope;
  const templates = await readFiguresBy(db, population, 'TEMPLATE', maximumGroups);
  const owners = await readFiguresBy(db, population, 'OWNER', maximumGroups);
  const assignees = await listAssignees(db, population, maximumGroups);
  const tasks = await listBottlenecks(db, population, maximumFindings);
  const titles = await titlesOf(db, organizationId, tasks);
  const stalled = await listStalled(db, population, maximumFindings);
  const templateNames = await namesOf(db, 'templates', organizationId, templates.map(idOf));
  const memberNames = await namesOf(db, 'users', organizationId, [
    ...owners.map(idOf),
    ...assignees.map(({ userId }) => userId),
  ]);
  return {
    ...(await summarize(db, population)),
    byTemplate: templates.map((part) => presentTemplate(part, templateNames)),
    byOwner: owners.map((part) => presentOwner(part, memberNames)),
    byAssignee: assignees.map((assignee) => presentAssignee(assignee, memberNames)),
    bottlenecks: tasks.map((task, index) => presentBottleneck(task, titles[index] ?? '')),
    stalled: stalled.map(presentStalled),
  };
}

type Names = ReadonlyMap<string, string>;

function idOf({ key }: Part): string {
  return String(key);
}

function presentTemplate(part: Part & Counts & CycleTime, names: Names): Item<'byTemplate'> {
  const templateId = idOf(part);
  return { templateId, name: names.get(templateId) ?? '', ...presentFigures(part) };
}

function presentOwner(part: Part & Counts & CycleTime, names: Names): Item<'byOwner'> {
  const userId = idOf(part);
  return { userId, name: names.get(userId) ?? '', ...presentFigures(part) };
}

function presentAssignee({ userId, quantiles, ...numbers }: AssigneeRow, names: Names): Item<'byAssignee'> {
  return { userId, name: names.get(userId) ?? '', ...numbers, durationSeconds: presentQuantiles(quantiles) };
}

function presentBottleneck(
  { quantiles, late, withDeadline, ...task }: BottleneckRow,
  title: string,
): Item<'bottlenecks'> {
  const { taskId, templateId, completedTasks } = task;
  const durationSeconds = presentQuantiles(quantiles);
  return { taskId, title, templateId, completedTasks, durationSeconds, overdueRate: rate(late, withDeadline) };
}

function presentStalled({ lastActivityAt, ...run }: StalledRow): Item<'stalled'> {
  return { ...run, lastActivityAt: instant(lastActivityAt) };
}
