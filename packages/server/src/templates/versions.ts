import type { Contract } from '@runward/contract';
import { findTemplate } from '../access/find-template.ts';
import { findVersion } from './find-version.ts';
import { loadDocument } from './load-document.ts';
import { TemplateVersion } from './entities/template-version.ts';
import type { Handlers } from '../access/handler.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { presentDocument, presentVersion } from './present-document.ts';

/** Published, immutable versions of a template (spec: Template draft and versions). */
export const templateVersions: Handlers<Contract['templates.versions']> = {
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
    return pageOf(rows, limit, total, presentVersion, ({ number }) => [number]);
  },

  get: async ({ params: { id: templateId, versionId }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await findTemplate(context, templateId);
    const version = await findVersion(context, templateId, versionId);
    return { ...presentVersion(version), ...presentDocument(await loadDocument(em, organizationId, versionId)) };
  },
};
