import { scopes, type FilterSet } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import type { TestApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import * as fc from 'fast-check';
import type { RunScope } from '../../../src/runs/queries/run-conditions.ts';
import { happen, type Step } from '../history.ts';
import { knownRun, type KnownRun } from './reference-figures.ts';

/** A caller and what it may see. */
export interface Viewer {
  readonly api: Api;
  readonly resourceScope: RunScope['resourceScope'];
  readonly runs: readonly KnownRun[];
  readonly templateIds: readonly string[];
}

/** An organization with runs that have lived through a year. */
export interface AnalyticsSetting {
  readonly org: TestOrganization;
  readonly members: readonly string[];
  /** The key of everything, one of two templates, and one of a folder. */
  readonly viewers: readonly Viewer[];
  readonly names: ReadonlyMap<string, string>;
}

/** Around changes of the clock in New York and on Lord Howe Island, around a leap day, and in the middle of days. */
const launches = [
  '2024-02-28T23:30:00Z',
  '2024-02-29T13:20:00Z',
  '2024-03-10T04:59:59.999Z',
  '2024-03-10T05:00:00.000Z',
].concat(
  ['2024-03-11T03:59:59.999Z', '2024-03-11T04:00:00.000Z', '2024-04-06T12:59:59.999Z', '2024-04-06T13:00:00.000Z'],
  ['2024-04-07T13:29:59.999Z', '2024-04-07T13:30:00.000Z', '2024-10-05T13:30:00.000Z', '2024-11-03T05:30:00.000Z'],
  ['2024-11-04T04:59:59.000Z', '2024-11-04T05:00:00.000Z', '2024-12-31T23:59:59.999Z'],
);

const hourMs = 3_600_000;

const step = (assignees: readonly string[]): fc.Arbitrary<Step> =>
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 1, max: 72 * hourMs }), fc.integer({ min: 1, max: 40 * 24 * hourMs })),
    type: fc.constantFrom(
      ...(['completeTask', 'completeTask', 'completeTask', 'completeTask', 'reopenTask', 'assign'] as const),
      ...(['complete', 'cancel', 'reopen', 'archive', 'detectOverdue', 'detectOverdue'] as const),
    ),
    task: fc.nat(2),
    assigneeId: fc.constantFrom(...assignees),
  });

/** Three templates, the first two in a folder each, and runs of them with random histories, the same in every test. */
export async function newAnalyticsSetting(app: TestApp, seed: number, count = 60): Promise<AnalyticsSetting> {
  const org = await newOrganization(app);
  const names = new Map<string, string>();
  const folders: string[] = [];
  for (const name of ['One', 'Two'])
    folders.push((await must(org.api.call('folders', 'create', { body: { name } }))).id);
  const templates: string[] = [];
  for (const [index, folderId] of [...folders, undefined].entries()) {
    const name = `=Process ${index}`;
    const templateId = await publishTemplate(org.api, { name, ...(folderId !== undefined && { folderId }) });
    templates.push(templateId);
    names.set(templateId, name);
  }
  const members: { id: string; email: string }[] = [];
  for (const name of ['Ada', 'Bo']) {
    const member = await org.member(name);
    members.push(member);
    names.set(member.id, name);
  }
  const memberIds = members.map(({ id }) => id);

  const arbitraryHistory = fc.record({
    templateId: fc.constantFrom(...templates),
    launchedAt: fc.constantFrom(...launches).map((text) => new Date(text)),
    options: fc.record({
      title: fc.constantFrom('Alpha', 'Beta'),
      ownerEmail: fc.constantFrom(...members.map(({ email }) => email)),
      variables: fc.record({ region: fc.constantFrom('EU', 'US') }),
    }),
    steps: fc.array(step(memberIds), { minLength: 1, maxLength: 9 }),
  });
  const runs: KnownRun[] = [];
  for (const history of fc.sample(arbitraryHistory, { numRuns: count, seed })) {
    runs.push(await knownRun(org.api, await happen(app, org, history)));
  }
  const viewerOf = (api: Api, resourceScope: RunScope['resourceScope'], templateIds: readonly string[]): Viewer => {
    return { api, resourceScope, templateIds, runs: runs.filter(({ templateId }) => templateIds.includes(templateId)) };
  };
  const [first = '', second = '', third = ''] = templates;
  const listed = { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [first, third] } as const;
  const filed = { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: folders.slice(1) } as const;
  const viewers = [
    viewerOf(org.api, { mode: 'ALL' }, templates),
    viewerOf(
      await org.key({ scopes, ...listed }),
      { mode: 'SELECTED_TEMPLATES', templateIds: listed.scopedTemplateIds, folderIds: [] },
      listed.scopedTemplateIds,
    ),
    viewerOf(
      await org.key({ scopes, ...filed }),
      { mode: 'SELECTED_FOLDERS', templateIds: [], folderIds: filed.scopedFolderIds },
      [second],
    ),
  ];
  return { org, members: memberIds, viewers, names };
}

/** Filter sets that a viewer may use. */
export function arbitraryFilters({ templateIds }: Viewer, members: readonly string[]): fc.Arbitrary<FilterSet> {
  const some = <Item>(...items: readonly Item[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 });
  return fc.record(
    {
      statuses: some('RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'),
      templateIds: some(...templateIds),
      ownerUserIds: some(...members),
      assigneeIds: some(...members),
      archived: fc.boolean(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<FilterSet>;
}

/** Two tasks of which the second waits for the first, both with deadlines, and one that runs of the region US hide. */
async function publishTemplate(api: Api, settings: { name: string; folderId?: string }): Promise<string> {
  const due = { from: 'LAUNCH', offset: 'P2D', hasTime: true } as const;
  const tasks = [
    { title: 'Prepare', due },
    { title: 'Check', due: { from: 'UNBLOCKED', offset: 'P1D', hasTime: false } as const },
    { title: 'File', required: false },
  ];
  const { templateId: id, taskIds } = await publishProcess(api, tasks, settings, [
    { key: 'region', defaultValue: 'EU' },
  ]);
  const [prepare = '', check = '', file = ''] = tasks.map(({ title }) => taskIds[title] ?? '');
  await must(
    api.call('templates.dependencies', 'set', { params: { id, taskId: check }, body: { taskIds: [prepare] } }),
  );
  const rule = {
    match: 'ALL',
    conditions: [{ source: { type: 'VARIABLE', key: 'region' }, operator: 'EQUALS', value: 'US' }],
    actions: [{ type: 'HIDE', taskIds: [file] }],
  } as const;
  await must(api.call('templates.rules', 'create', { params: { id, taskId: prepare }, body: rule as never }));
  await must(api.call('templates', 'publish', { params: { id } }));
  return id;
}

/**
 * The path of the first difference between two values, or null. Numbers may differ by a millisecond, which is what
 * figures are rounded to.
 */
export function difference(actual: unknown, expected: unknown, path = ''): string | null {
  if (typeof actual === 'number' && typeof expected === 'number') {
    return Math.abs(actual - expected) < 0.0011 ? null : `${path}: ${actual} instead of ${expected}`;
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    return actual === expected ? null : `${path}: ${String(actual)} instead of ${String(expected)}`;
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  for (const key of keys) {
    const found = difference(
      (actual as Record<string, unknown>)[key],
      (expected as Record<string, unknown>)[key],
      `${path}/${key}`,
    );
    if (found !== null) return found;
  }
  return null;
}
