import type { Contract } from '@runward/contract';
import { cut, duplicateDocument, emptyProcess } from '@runward/engine';
import { reachableTemplates } from '../access/reach.ts';
import { changeTemplate, ensureNotArchived, storeDraft } from '../commands/change-template.ts';
import { ensureFolder, ensureMayCreate } from '../commands/ensure-folder.ts';
import { publishTemplate } from '../commands/publish-template.ts';
import { lockTemplate, reachDraft, reachTemplate } from '../commands/reach-template.ts';
import { loadDocument } from '../db/documents.ts';
import { Run } from '../db/entities/run.ts';
import { Template } from '../db/entities/template.ts';
import { badRequest, notFound } from '../fault.ts';
import { newId } from '../ids.ts';
import type { Handlers, Scene } from './handler.ts';
import { decodeCursor, pageOf, pageOfAll } from './paging.ts';
import { presentTemplate, presentVersion } from './present-template.ts';

/** What the row of a template in each status looks like. */
const byStatus = {
  DRAFT: { archivedAt: null, publishedVersionId: null },
  PUBLISHED: { archivedAt: null, publishedVersionId: { $ne: null } },
  ARCHIVED: { archivedAt: { $ne: null } },
};

/** Templates themselves (spec: Templates). */
export const templates: Handlers<Contract['templates']> = {
  list: async ({ em, actor, query: { status, folderId, limit, cursor } }) => {
    const before = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
    const where = { $and: [reachableTemplates(actor), status ? byStatus[status] : {}, folderId ? { folderId } : {}] };
    const total = await em.count(Template, where);
    const rows = await em.find(
      Template,
      { $and: [...where.$and, before === undefined ? {} : { id: { $lt: before } }] },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    );
    return pageOf(rows, limit, total, presentTemplate, ({ id }) => [id]);
  },

  create: async ({ body, ...scene }) => {
    const { name, description = null, folderId = null, runTitlePattern = null } = body;
    ensureMayCreate(scene.actor);
    await ensureFolder(scene, folderId);
    const settings = { name, description, folderId, runTitlePattern };
    return presentTemplate(await insertTemplate(scene, { ...settings, draft: emptyProcess }));
  },

  get: async ({ params, ...scene }) => presentTemplate(await reachTemplate(scene, params.id)),

  update: async ({ params, body, ...scene }) => {
    const template = await lockTemplate(scene, params.id);
    if (body.folderId !== undefined) await ensureFolder(scene, body.folderId);
    const {
      name = template.name,
      description = template.description ?? null,
      folderId = template.folderId ?? null,
      runTitlePattern = template.runTitlePattern ?? null,
    } = body;
    await changeTemplate(scene, template, { name, description, folderId, runTitlePattern });
    return presentTemplate(template);
  },

  remove: async ({ params, ...scene }) => {
    const { em, actor, now } = scene;
    const template = await lockTemplate(scene, params.id, 'launches');
    const active = await em.count(Run, {
      organizationId: actor.organizationId,
      templateId: template.id,
      status: { $in: ['RUNNING', 'OVERDUE'] },
    });
    if (active > 0) {
      const runs = active === 1 ? '1 run of it is' : `${active} runs of it are`;
      throw badRequest(`The template cannot be deleted while ${runs} active; complete or cancel them first.`);
    }
    await changeTemplate(scene, template, { deletedAt: now });
  },

  duplicate: async ({ params, body, ...scene }) => {
    const { name, description, folderId, runTitlePattern, draft } = await reachDraft(scene, params.id);
    ensureMayCreate(scene.actor);
    const copy = await insertTemplate(scene, {
      name: body?.name ?? copyName(name),
      description: description ?? null,
      folderId: folderId ?? null,
      runTitlePattern: runTitlePattern ?? null,
      draft: duplicateDocument(draft, newId),
    });
    return presentTemplate(copy);
  },

  archive: async ({ params, ...scene }) => {
    const template = await lockTemplate(scene, params.id);
    await changeTemplate(scene, template, { archivedAt: template.archivedAt ?? scene.now });
    return presentTemplate(template);
  },

  unarchive: async ({ params, ...scene }) => {
    const template = await lockTemplate(scene, params.id);
    await changeTemplate(scene, template, { archivedAt: null });
    return presentTemplate(template);
  },

  publish: async ({ params, body, ...scene }) =>
    presentVersion(await publishTemplate(scene, params.id, body?.note ?? null)),

  discardDraft: async ({ params, ...scene }) => {
    const template = await lockTemplate(scene, params.id);
    ensureNotArchived(template);
    if (!template.publishedVersionId) {
      throw badRequest('The template has no published version to go back to; edit the draft or delete the template.');
    }
    const published = await loadDocument(scene.em, scene.actor.organizationId, template.publishedVersionId);
    await storeDraft(scene, template, published);
    return presentTemplate(template);
  },

  publishedFields: async ({ params, query, ...scene }) => {
    const { publishedVersionId: templateVersionId } = await reachTemplate(scene, params.id);
    if (!templateVersionId) throw notFound('Published version');
    const { tasks } = await loadDocument(scene.em, scene.actor.organizationId, templateVersionId);
    const fields = tasks.flatMap((task) =>
      task.fields.map(({ id, key, label, type, required, options }) => ({
        runTaskFieldId: id,
        taskId: task.id,
        taskTitle: task.title,
        key,
        label,
        type,
        required,
        options: [...options],
      })),
    );
    return { ...pageOfAll(fields, query), templateVersionId };
  },
};

type NewTemplate = Pick<Template, 'name' | 'description' | 'folderId' | 'runTitlePattern' | 'draft'>;

async function insertTemplate({ em, actor, now }: Scene, template: NewTemplate): Promise<Template> {
  const inserted = em.create(Template, {
    ...template,
    id: newId(),
    organizationId: actor.organizationId,
    hasUnpublishedChanges: true,
    publishedVersionId: null,
    archivedAt: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  });
  await em.flush();
  return inserted;
}

const longestName = 255;
const copyMark = ' (copy)';

function copyName(name: string): string {
  return cut(name, longestName - copyMark.length) + copyMark;
}
