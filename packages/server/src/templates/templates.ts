import type { Parts } from '@runward/contract';
import { activeRunStatuses, copyTitle, duplicateDocument, emptyProcess } from '@runward/engine';
import { ensureFolder } from '../access/ensure-folder.ts';
import { lockTemplate, findTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { templatesInScope } from '../access/resource-scope/filters.ts';
import { ensureMayCreateTemplate, ensureMayPlaceTemplate } from '../access/resource-scope/folders.ts';
import { badRequest, notFound } from '../api-error.ts';
import { patternOf } from '../database/like.ts';
import { newestFirst } from '../database/newest-first.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { Run } from '../runs/entities/run.ts';
import { changeTemplate, ensureNotArchived, ensureRevision, storeDraft } from './change/change-template.ts';
import { insertTemplate } from './change/insert-template.ts';
import { publishTemplate } from './change/publish-template.ts';
import { Template } from './entities/template.ts';
import { findVersion } from './find-version.ts';
import { copyBackgroundImage, removeBackgroundImage, setBackgroundImage } from './images/background-image.ts';
import { removeImages, storeImage } from './images/store-image.ts';
import { loadDocument } from './load-document.ts';
import { presentVersion } from './present-document.ts';
import { presentTemplate, presentTemplates } from './present-templates.ts';
import { endShares } from './sharing/end-shares.ts';

/** By status, the `where` of a query for templates. */
const byStatus = {
  DRAFT: { archivedAt: null, publishedVersionId: null },
  PUBLISHED: { archivedAt: null, publishedVersionId: { $ne: null } },
  ARCHIVED: { archivedAt: { $ne: null } },
};

/** Templates themselves (spec: Templates). */
export const templates: Handlers<Parts['templates']> = {
  list: async ({ query: { status, folderId, name, ...paging }, ...context }) => {
    const filters = { ...(folderId && { folderId }), ...(name && { name: { $ilike: patternOf(name) } }) };
    const where = { $and: [templatesInScope(context.actor), status ? byStatus[status] : {}, filters] };
    const page = await newestFirst(context.em, Template, where, paging);
    return { ...page, data: await presentTemplates(context, page.data) };
  },

  create: async ({ body, ...context }) => {
    const { name, description = null, folderId = null, runTitlePattern = null } = body;
    ensureMayCreateTemplate(context.actor);
    await ensureFolder(context, folderId);
    const settings = { name, description, folderId, runTitlePattern };
    return presentTemplate(context, await insertTemplate(context, { ...settings, draft: emptyProcess }));
  },

  get: async ({ params, ...context }) => presentTemplate(context, await findTemplate(context, params.id)),

  update: async ({ params, body, ...context }) => {
    const template = await lockTemplate(context, params.id);
    ensureRevision(context, template);
    if (body.folderId !== undefined) await ensureFolder(context, body.folderId);
    const {
      name = template.name,
      description = template.description ?? null,
      folderId = template.folderId ?? null,
      runTitlePattern = template.runTitlePattern ?? null,
    } = body;
    await changeTemplate(context, template, { name, description, folderId, runTitlePattern });
    if (body.backgroundImage === null) await removeBackgroundImage(context, template);
    return presentTemplate(context, template);
  },

  delete: async ({ params, ...context }) => {
    const { em, actor, now } = context;
    const template = await lockTemplate(context, params.id, 'update');
    ensureRevision(context, template);
    const active = await em.count(Run, {
      organizationId: actor.organizationId,
      templateId: template.id,
      status: { $in: [...activeRunStatuses] },
    });
    if (active > 0) {
      const [runs, them] = active === 1 ? ['1 active run', 'it'] : [`${active} active runs`, 'them'];
      throw badRequest(
        'in_use',
        `The template cannot be deleted while it has ${runs}; complete or cancel ${them} first.`,
      );
    }
    await changeTemplate(context, template, { deletedAt: now, backgroundAssetId: null });
    await endShares(context, template);
    await removeImages(context, template);
  },

  setBackgroundImage: {
    prepare: async ({ params, body, ...context }) => {
      await findTemplate(context, params.id);
      const image = await storeImage(context, body.file);
      return async (within) => presentTemplate(within, await setBackgroundImage(within, params.id, image));
    },
  },

  duplicate: async ({ params, body, ...context }) => {
    // Its image must not be replaced before it is copied.
    const original = await lockTemplate(context, params.id, 'share');
    const { name, description, folderId, runTitlePattern, draft } = original;
    ensureMayCreateTemplate(context.actor);
    ensureMayPlaceTemplate(context.actor, folderId ?? null);
    const copy = await insertTemplate(context, {
      name: body?.name ?? copyTitle(name),
      description: description ?? null,
      folderId: folderId ?? null,
      runTitlePattern: runTitlePattern ?? null,
      draft: duplicateDocument(draft, newId),
    });
    await copyBackgroundImage(context, original, copy);
    return presentTemplate(context, copy);
  },

  archive: async ({ params, ...context }) => {
    const template = await lockTemplate(context, params.id);
    ensureRevision(context, template);
    await changeTemplate(context, template, { archivedAt: template.archivedAt ?? context.now });
    await endShares(context, template);
    return presentTemplate(context, template);
  },

  unarchive: async ({ params, ...context }) => {
    const template = await lockTemplate(context, params.id);
    ensureRevision(context, template);
    await changeTemplate(context, template, { archivedAt: null });
    return presentTemplate(context, template);
  },

  publish: async ({ params, body, ...context }) =>
    presentVersion(
      await publishTemplate(context, params.id, { note: body?.note ?? null, syncRules: body?.syncRules ?? true }),
    ),

  discardDraft: async ({ params, ...context }) => {
    const template = await lockTemplate(context, params.id);
    ensureRevision(context, template);
    ensureNotArchived(template);
    if (!template.publishedVersionId) {
      throw badRequest(
        'template_not_published',
        'The template has no published version to restore; edit the draft or delete the template.',
      );
    }
    const published = await loadDocument(context.em, context.actor.organizationId, template.publishedVersionId);
    await storeDraft(context, template, published);
    return presentTemplate(context, template);
  },

  publishedFields: async ({ params, query, ...context }) => {
    const { publishedVersionId } = await findTemplate(context, params.id);
    const templateVersionId = query.templateVersionId ?? publishedVersionId;
    if (!templateVersionId) throw notFound('Published version');
    if (templateVersionId !== publishedVersionId) await findVersion(context, params.id, templateVersionId);
    const { tasks } = await loadDocument(context.em, context.actor.organizationId, templateVersionId);
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
    return { ...pageOfAll(fields, query, context.ports.limits), templateVersionId };
  },
};
