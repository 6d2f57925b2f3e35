import { randomUUID } from 'node:crypto';
import { must, publishProcess } from '@runward/testing/process';
import { addTask, newTemplate } from '../templates.ts';
import { newImage, newPhaseId, newVariableId, type Ids, type World } from '../world.ts';
import type { Examples } from './example.ts';

const freshTemplate = async ({ api }: World) => ({ template: (await publishProcess(api)).templateId });

async function changedTemplate(world: World): Promise<Partial<Ids>> {
  const made = await freshTemplate(world);
  await addTask(world.api, made.template);
  return made;
}

async function freshField({ api, ids: { template: id, task: taskId } }: World): Promise<Partial<Ids>> {
  const body = { label: 'Field', type: 'TEXT' } as const;
  return { field: (await must(api.call('templates.fields', 'create', { params: { id, taskId }, body }))).id };
}

/** Calls of templates and their parts. */
export const templateExamples = {
  templates: {
    list: [{ query: ({ folder }) => ({ folderId: folder }) }],
    create: [{ body: ({ folder }) => ({ name: 'New', folderId: folder }) }],
    update: [{ body: ({ folder }) => ({ name: 'Renamed', folderId: folder }) }],
    remove: [{ before: async ({ api }) => ({ template: await newTemplate(api) }) }],
    setBackgroundImage: [{ before: freshTemplate, body: () => ({ file: newImage() }) }],
    archive: [{ before: freshTemplate }],
    unarchive: [{ before: freshTemplate }],
    publish: [{ before: changedTemplate }],
    discardDraft: [{ before: freshTemplate }],
  },
  'templates.tasks': {
    create: [
      { body: ({ phase, member }) => ({ title: 'New', phaseId: phase, assigneeId: member }) },
      { body: ({ group }) => ({ title: 'New', assigneeGroupId: group }) },
    ],
    update: [
      { body: ({ phase, member }) => ({ phaseId: phase, assigneeId: member }) },
      { body: ({ group }) => ({ assigneeId: null, assigneeGroupId: group }) },
    ],
    remove: [{ before: async ({ api, ids }) => ({ task: (await addTask(api, ids.template)).id }) }],
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
          changes: { phaseId: phase, assigneeId, assigneeGroupId: null },
        }),
      },
      { body: ({ task, group }) => ({ taskIds: [task], changes: { assigneeId: null, assigneeGroupId: group } }) },
    ],
  },
  'templates.fields': {
    create: [{ body: () => ({ label: 'New', type: 'TEXT' }) }],
    update: [{ body: () => ({ label: 'Renamed' }) }],
    move: [{ body: ({ task }) => ({ targetTaskId: task }) }],
    remove: [{ before: freshField }],
  },
  'templates.phases': {
    create: [{ body: () => ({ name: 'New' }) }],
    update: [{ body: () => ({ name: 'Renamed' }) }],
    remove: [{ before: async (world) => ({ phase: await newPhaseId(world, world.ids.template) }) }],
  },
  'templates.variables': {
    create: [{ body: () => ({ key: `v${randomUUID()}` }) }],
    update: [{ body: () => ({ description: 'Described' }) }],
    remove: [{ before: async (world) => ({ variable: await newVariableId(world, world.ids.template) }) }],
  },
} as const satisfies Examples;
