import type { Parts } from '@runward/contract';
import { diff, emptyProcess, type ProcessDocument } from '@runward/engine';
import { findDraft, findTemplate, lockTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { ensureNotArchived, ensureRevision, storeDraft } from './change/change-template.ts';
import { withoutDeletedGroups } from './change/without-deleted-groups.ts';
import { TemplateVersion } from './entities/template-version.ts';
import { findVersion } from './find-version.ts';
import { loadDocument } from './load-document.ts';
import { presentDocument, presentVersion } from './present-document.ts';
import { presentTemplate } from './present-templates.ts';

/** Published, immutable versions of a template (spec: Template draft and versions). */
export const templateVersions: Handlers<Parts['templateVersions']> = {
  list: async ({ params, query: { limit, cursor }, ...context }) => {
    const { em, actor } = context;
    await findTemplate(context, params.id);
    const before = cursor === undefined ? undefined : decodeCursor(cursor, 'number')[0];
    const where = { organizationId: actor.organizationId, templateId: params.id };
    const total = await em.count(TemplateVersion, where);
    const rows = await em.find(
      TemplateVersion,
      { ...where, ...(before !== undefined && { number: { $lt: before } }) },
      { orderBy: { number: 'desc' }, limit: limit + 1 },
    );
    return pageOf({ rows, limit, total }, presentVersion, ({ number }) => [number]);
  },

  get: async ({ params: { id: templateId, versionId }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await findTemplate(context, templateId);
    const version = await findVersion(context, templateId, versionId);
    return { ...presentVersion(version), ...presentDocument(await loadDocument(em, organizationId, versionId)) };
  },

  draftDiff: async ({ params, ...context }) => {
    const { publishedVersionId, draft } = await findDraft(context, params.id);
    const published = publishedVersionId ? await findVersion(context, params.id, publishedVersionId) : null;
    return compare(context, published, null, draft);
  },

  diff: async ({ params: { id: templateId, versionId }, query: { against }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await findTemplate(context, templateId);
    const version = await findVersion(context, templateId, versionId);
    const earlier =
      against === undefined
        ? await em.findOne(TemplateVersion, { organizationId, templateId, number: version.number - 1 })
        : await findVersion(context, templateId, against);
    return compare(context, earlier, version, await loadDocument(em, organizationId, versionId));
  },

  restore: async ({ params: { id: templateId, versionId }, ...context }) => {
    const { em, actor } = context;
    const template = await lockTemplate(context, templateId);
    const { id } = await findVersion(context, templateId, versionId);
    ensureRevision(context, template);
    ensureNotArchived(template);
    const document = await loadDocument(em, actor.organizationId, id);
    await storeDraft(context, template, await withoutDeletedGroups(context, document));
    return presentTemplate(context, template);
  },
};

type Version = Omit<TemplateVersion, 'document'>;

/** The differences between a version, or an empty document, and another version or the draft. */
async function compare(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  from: Version | null,
  to: Version | null,
  document: ProcessDocument,
) {
  const before = from ? await loadDocument(em, organizationId, from.id) : emptyProcess;
  return { from: from && named(from), to: to && named(to), changes: diff(before, document) };
}

function named({ id, number }: Version) {
  return { versionId: id, number };
}
