import { randomUUID } from 'node:crypto';
import { launchRun, must } from '@runward/testing/process';
import { newViewId } from '../world/views.ts';
import { newEntryId, newRunIds, scheduledDate, type Ids, type World } from '../world/world.ts';
import { commentExamples, taskCommentExamples } from './comments.ts';
import { boundedList, type Examples } from './example.ts';
import { formLinkExamples } from './form-links.ts';
import { filters, listFilters, savedFilters, savedFiltersOfMember, values } from './run-filters.ts';

const freshRun = (world: World) => newRunIds(world, world.ids.template);

async function endedRun(world: World): Promise<Partial<Ids>> {
  const made = await freshRun(world);
  await must(world.api.call('runs', 'cancel', { params: { id: made.run } }));
  return made;
}

/** A run of the first version of the template. */
async function outdatedRun(world: World): Promise<Partial<Ids>> {
  const made = await freshRun(world);
  const versions = await must(world.api.call('templates.versions', 'list', { params: { id: world.ids.template } }));
  const toVersionId = versions.data.at(-1)?.id ?? '';
  await must(world.api.call('runs', 'migrate', { params: { id: made.run }, body: { toVersionId } }));
  return made;
}

async function openEntry(world: World) {
  return { entry: await newEntryId(world, world.ids.runTask) };
}

async function completedEntry(world: World): Promise<Partial<Ids>> {
  const { entry } = await openEntry(world);
  await must(world.api.call('execution', 'complete', { body: { executionEntryId: entry } }));
  return { entry };
}

/** Yesterday and today. */
const twoDays = () => {
  const [from = '', to = ''] = [1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
  return { from, to };
};

const launchOptionsOf = ({ ownerEmail }: World['org']) => {
  return {
    title: 'Onboarding: Contoso',
    scheduledDateLocal: scheduledDate,
    ownerEmail,
    variables: { surname: 'Lovelace' },
  };
};

async function blockedTask({ api, ids }: World): Promise<Partial<Ids>> {
  const run = await launchRun(api, ids.template);
  return { run: run.id, runTask: run.byTitle('First order').runTaskId };
}

async function waitingTask(world: World): Promise<Partial<Ids>> {
  const ids = await blockedTask(world);
  await must(world.api.call('execution', 'open', { body: { runTaskId: ids.runTask ?? '' } }));
  return ids;
}

const freshView = async (world: World) => ({
  view: await newViewId(world, world.ids.template, world.ids.folder),
});

/** Calls of runs, their tasks and forms. */
export const runExamples = {
  runs: {
    list: [
      { query: ({ template }) => ({ templateId: template, ...filters, sort: '-createdAt', limit: 10 }) },
      ...listFilters,
      boundedList,
    ],
    launch: [{ body: ({ template }, { org }) => ({ templateId: template, ...launchOptionsOf(org) }) }],
    bulkLaunch: [{ body: ({ template }, { org }) => ({ runs: [{ templateId: template, ...launchOptionsOf(org) }] }) }],
    exportCsv: [{ query: ({ template }) => ({ templateId: template, ...filters }) }, ...listFilters],
    counts: [
      { query: ({ template }) => ({ templateId: template }) },
      { query: ({ template }) => ({ templateId: template, ...filters }) },
      ...listFilters,
    ],
    searchableFields: [{}],
    archive: [{ before: endedRun, body: ({ run }) => ({ runIds: [run] }) }],
    get: [{}, { query: () => ({ include: 'fieldValues' }) }, { query: () => ({ at: '2999-01-01T00:00:00Z' }) }],
    unarchive: [{ before: endedRun, body: ({ run }) => ({ runIds: [run] }) }],
    update: [{ before: freshRun, body: () => ({ title: 'Onboarding: Contoso GmbH' }) }],
    complete: [{ before: freshRun }],
    cancel: [{ before: freshRun }],
    reopen: [{ before: endedRun }],
    migrateToLatest: [{ before: outdatedRun, body: () => ({ dryRun: false }) }],
    migrate: [{ before: outdatedRun, body: ({ version }) => ({ toVersionId: version, dryRun: true }) }],
  },
  'templates.runs': {
    list: [{ query: () => ({ ...filters, sort: '-updatedAt', limit: 10 }) }, ...listFilters, boundedList],
    launch: [{ body: ({ template }, { org }) => ({ templateId: template, ...launchOptionsOf(org) }) }],
  },
  analytics: {
    summary: [{ query: ({ template }) => ({ ...twoDays(), templateId: template }) }],
    advanced: [{ query: ({ template }) => ({ ...twoDays(), templateId: template }) }],
    filtered: [
      { body: (ids) => ({ ...twoDays(), filters: savedFilters(ids) }) },
      { body: (ids) => ({ filters: savedFiltersOfMember(ids) }) },
    ],
    advancedFiltered: [
      { body: (ids) => ({ ...twoDays(), filters: savedFilters(ids) }) },
      { body: (ids) => ({ filters: savedFiltersOfMember(ids) }) },
    ],
    exportCsv: [{ query: ({ template }) => ({ ...twoDays(), templateId: template }) }],
    exportPdf: [{ query: ({ template }) => ({ ...twoDays(), templateId: template }) }],
  },
  savedViews: {
    create: [
      { body: (ids) => ({ name: 'Onboarding this year', filters: savedFilters(ids), visibility: 'ORGANIZATION' }) },
      { body: (ids) => ({ name: 'Assigned to Grace', filters: savedFiltersOfMember(ids) }) },
    ],
    update: [
      { body: (ids) => ({ name: 'Supplier onboarding', filters: savedFilters(ids) }) },
      { before: freshView, body: (ids) => ({ filters: savedFiltersOfMember(ids), visibility: 'PRIVATE' }) },
    ],
    delete: [{ before: freshView }],
    preview: [
      { body: (ids) => ({ filters: savedFilters(ids) }) },
      { body: (ids) => ({ filters: savedFiltersOfMember(ids) }) },
    ],
    runs: [{ query: () => ({ sort: 'title', limit: 10 }) }, boundedList],
  },
  'runs.tasks': {
    ...taskCommentExamples,
    ...formLinkExamples,
    formRows: [{ query: ({ lookupField }) => ({ fieldId: lookupField, search: 'acme' }) }],
    forceUnblock: [{ before: blockedTask }],
    approve: [{ before: waitingTask, body: () => ({ comment: 'The amount is that of the contract.' }) }],
    reject: [{ before: waitingTask, body: () => ({ comment: 'The amount exceeds the budget.' }) }],
    list: [
      {
        query: ({ template, run }) => ({ templateId: template, runId: run, status: 'PENDING', overdue: false }),
      },
      { query: ({ template }) => ({ templateId: template, values: JSON.stringify(values) }) },
      {
        query: ({ template, run, member }) => ({
          templateId: template,
          runId: run,
          assigneeId: member,
          dueAfter: '2020-01-01T00:00:00Z',
        }),
      },
      {
        query: ({ template, run, group }) => ({
          templateId: template,
          runId: run,
          assigneeGroupId: group,
          dueBefore: '2999-01-01T00:00:00Z',
        }),
      },
      boundedList,
    ],
    bulkUpdate: [
      {
        before: freshRun,
        body: ({ runTask, member }) => ({
          taskIds: [runTask],
          status: 'COMPLETED',
          assigneeId: member,
          dueAt: '2999-01-01T00:00:00Z',
          dueAtHasTime: false,
        }),
      },
      { before: freshRun, body: ({ runTask, group }) => ({ taskIds: [runTask], assigneeGroupId: group }) },
    ],
    setStatus: [{ before: freshRun, body: () => ({ status: 'COMPLETED' }) }],
    setDueDate: [{ before: freshRun, body: () => ({ dueAt: '2999-01-01T00:00:00Z', dueAtHasTime: false }) }],
    setAssignee: [
      { body: ({ member }) => ({ assigneeId: member }) },
      { body: ({ group }) => ({ assigneeGroupId: group }) },
      { body: () => ({ assigneeId: null }) },
    ],
  },
  'runs.comments': commentExamples,
  execution: {
    open: [{ body: ({ runTask }) => ({ runTaskId: runTask }) }],
    submit: [
      { body: ({ entry, field }) => ({ executionEntryId: entry, runTaskFieldId: field, value: 'DE129273398' }) },
    ],
    submitBatch: [
      {
        body: ({ entry, field }) => ({
          executionEntryId: entry,
          values: [{ runTaskFieldId: field, value: 'ATU12345678' }],
        }),
      },
    ],
    complete: [
      {
        before: openEntry,
        body: ({ entry }) => ({ executionEntryId: entry, idempotencyKey: randomUUID() }),
      },
    ],
    submitForm: [
      {
        before: freshRun,
        body: ({ runTask, field }) => ({
          runTaskId: runTask,
          values: [{ runTaskFieldId: field, value: 'DE129273398' }],
          idempotencyKey: randomUUID(),
        }),
      },
      { before: openEntry, body: ({ entry }) => ({ executionEntryId: entry, values: [], complete: false }) },
    ],
    reopen: [{ before: completedEntry, body: ({ entry }) => ({ executionEntryId: entry }) }],
    discard: [{ before: openEntry }],
  },
} as const satisfies Examples;
