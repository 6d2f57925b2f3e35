import { randomUUID } from 'node:crypto';
import { publishProcess } from '@runward/testing/process';
import { addTask, newShare, newTemplate, readTemplate } from '../templates.ts';
import { newPhaseId, newVariableId } from '../world/drafts.ts';
import { newImage } from '../world/files.ts';
import type { Ids, World } from '../world/world.ts';
import type { Examples } from './example.ts';
import { choice, freshField, lookupOf } from './template-fields.ts';
import { draftLogicExamples } from './template-logic.ts';

const freshTemplate = async ({ api }: World) => ({
  template: (await publishProcess(api, undefined, { name: 'Supplier onboarding' })).templateId,
});

async function freshVersion(world: World): Promise<Partial<Ids>> {
  const { template } = await changedTemplate(world);
  return { template, version: (await readTemplate(world.api, template)).publishedVersionId ?? '' };
}

async function changedTemplate(world: World) {
  const made = await freshTemplate(world);
  await addTask(world.api, made.template);
  return made;
}

/** A template of its own, with a part of each kind in its draft. */
async function freshDraft(world: World): Promise<Partial<Ids>> {
  const { api } = world;
  const template = await newTemplate(api);
  const { id: task } = await addTask(api, template);
  const phase = await newPhaseId(world, template);
  const variable = await newVariableId(world, template);
  return {
    template,
    phase,
    task,
    variable,
    ...(await freshField({ ...world, ids: { ...world.ids, template, task } })),
  };
}

const freshShare = async ({ api, ids }: World) => ({ share: (await newShare(api, ids.template)).id });

const shareSettings = { name: 'Purchasing network', expiresAt: '2999-01-01T00:00:00.000Z' };

const settings = {
  description: 'Collects and checks the details of a new supplier.',
  runTitlePattern: '{{name}} {{date}}',
};

const taskSettings = {
  description: 'Compare the account with the letterhead and call the supplier back.',
  required: false,
  repeatable: true,
  due: { from: 'LAUNCH', offset: 'P1D', hasTime: false, remindBefore: 'PT4H' },
} as const;

const approvalBy = ({ member, group }: Pick<Ids, 'member' | 'group'>) => ({
  approverIds: [member],
  approverGroupIds: [group],
  policy: 'ALL' as const,
  allowSelfApproval: false,
});

/** Calls of templates and their parts. */
export const templateExamples = {
  templates: {
    list: [{ query: ({ folder }) => ({ folderId: folder, status: 'PUBLISHED', name: 'supplier', limit: 10 }) }],
    create: [{ body: ({ folder }) => ({ name: 'Supplier onboarding', folderId: folder, ...settings }) }],
    update: [
      { body: ({ folder }) => ({ name: 'Supplier onboarding EMEA', folderId: folder, ...settings }) },
      // The template of the world keeps its image.
      { before: freshTemplate, body: () => ({ backgroundImage: null }) },
    ],
    duplicate: [{ body: () => ({ name: 'Supplier onboarding for Switzerland' }) }],
    delete: [{ before: async ({ api }) => ({ template: await newTemplate(api) }) }],
    setBackgroundImage: [{ before: freshTemplate, body: () => ({ file: newImage() }) }],
    archive: [{ before: freshTemplate }],
    unarchive: [{ before: freshTemplate }],
    publish: [
      { before: changedTemplate, body: () => ({ note: 'Bank details are checked by two members', syncRules: true }) },
    ],
    discardDraft: [{ before: freshTemplate }],
    publishedFields: [{ query: ({ version }) => ({ templateVersionId: version }) }],
  },
  'templates.versions': {
    diff: [{}, { query: ({ version }) => ({ against: version }) }],
    restore: [{ before: freshVersion }],
  },
  'templates.shares': {
    create: [{ body: () => shareSettings }],
  },
  sharedTemplates: {
    update: [{ body: () => shareSettings }],
    refresh: [{ before: freshShare }],
    revoke: [{ before: freshShare }],
    import: [{ body: ({ folder }) => ({ name: 'Supplier onboarding of the network', folderId: folder }) }],
  },
  // The sweeps repeat the parts of a list with another id, so what must be unique stands in a call of its own.
  'templates.draft': {
    replace: [
      {
        before: freshDraft,
        body: ({ phase, task, variable }) => ({
          phases: [{ id: phase, name: 'Compliance', description: 'Checks before the first order.' }],
          tasks: [{ id: task, title: 'Company details', ...taskSettings }],
          variables: [
            {
              id: variable,
              key: 'region',
              description: 'Where the supplier is located.',
              defaultValue: 'EU',
              searchable: true,
              shownToGuests: true,
            },
          ],
          version: '1',
        }),
      },
      {
        before: freshDraft,
        body: ({ phase, member }) => ({
          phases: [{ id: phase, name: 'Phase' }],
          tasks: [{ title: 'New', phaseId: phase, assigneeId: member }],
          variables: [],
        }),
      },
      {
        before: freshDraft,
        body: ({ group }) => ({ phases: [], tasks: [{ title: 'New', assigneeGroupId: group }], variables: [] }),
      },
      {
        before: freshDraft,
        body: (ids) => ({ phases: [], tasks: [{ title: 'New', approval: approvalBy(ids) }], variables: [] }),
      },
      {
        before: freshDraft,
        body: ({ field }) => ({
          phases: [],
          tasks: [{ title: 'New', fields: [{ id: field, ...choice }] }],
          variables: [],
        }),
      },
      {
        before: freshDraft,
        body: () => ({ phases: [], tasks: [{ title: 'New', fields: [{ ...choice, key: 'choice' }] }], variables: [] }),
      },
      {
        before: freshDraft,
        body: (ids) => ({
          phases: [],
          tasks: [
            {
              title: 'New',
              fields: [lookupOf(ids, 'new:legal-name'), { id: 'new:legal-name', label: 'Legal name', type: 'TEXT' }],
            },
          ],
          variables: [],
        }),
      },
      ...draftLogicExamples,
    ],
  },
  'templates.tasks': {
    create: [
      {
        body: ({ phase, member }) => ({
          key: `bank_details_${randomUUID()}`,
          title: 'Check the bank details',
          phaseId: phase,
          assigneeId: member,
          ...taskSettings,
        }),
      },
      { body: ({ group }) => ({ title: 'New', assigneeGroupId: group }) },
      { body: (ids) => ({ title: 'New', approval: approvalBy(ids) }) },
    ],
    update: [
      {
        body: ({ phase, member }) => ({
          key: `company_details_${randomUUID()}`,
          title: 'Company details',
          position: 0,
          phaseId: phase,
          assigneeId: member,
          assigneeGroupId: null,
          ...taskSettings,
        }),
      },
      { body: ({ group }) => ({ assigneeId: null, assigneeGroupId: group }) },
      { before: freshDraft, body: (ids) => ({ approval: approvalBy(ids) }) },
    ],
    delete: [
      {
        before: async ({ api, ids }) => {
          const { id } = await addTask(api, ids.template);
          return { task: id, prerequisite: id };
        },
      },
    ],
    bulkDelete: [
      {
        before: async ({ api, ids }) => ({ task: (await addTask(api, ids.template)).id }),
        body: ({ task }) => ({ taskIds: [task] }),
      },
    ],
    bulkDuplicate: [{ body: ({ task }) => ({ taskIds: [task] }) }],
    bulkUpdate: [
      {
        body: ({ task, phase, member: assigneeId }) => ({
          taskIds: [task],
          changes: { title: 'Company details', phaseId: phase, assigneeId, assigneeGroupId: null, ...taskSettings },
        }),
      },
      { body: ({ task, group }) => ({ taskIds: [task], changes: { assigneeId: null, assigneeGroupId: group } }) },
      { before: freshDraft, body: (ids) => ({ taskIds: [ids.task], changes: { approval: approvalBy(ids) } }) },
    ],
  },
} as const satisfies Examples;
