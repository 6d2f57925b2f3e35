import { formats } from '@runward/contract';
import { validate } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { TemplateVersion } from './entities/template-version.ts';
import { badRequest } from '../api-error.ts';
import { newId } from '../ids.ts';
import { changeTemplate, ensureNotArchived } from './change-template.ts';
import { lockTemplate } from '../access/find-template.ts';

/**
 * Publishes the draft as the next version, or returns the published version if the draft does not differ from it. Throws a 404, 403 or 400;
 * a 400 for an invalid draft lists every problem.
 */
export async function publishTemplate(
  context: RequestContext,
  templateId: string,
  note: string | null,
): Promise<TemplateVersion> {
  const { em, actor, now } = context;
  const { organizationId, userId } = actor;
  const template = await lockTemplate(context, templateId);
  ensureNotArchived(template);
  const last = await em.findOne(TemplateVersion, { organizationId, templateId }, { orderBy: { number: 'desc' } });
  if (last && !template.hasUnpublishedChanges) return last;
  const problems = validate(template.draft, formats);
  if (problems.length > 0) throw badRequest(problems);

  const version = em.create(TemplateVersion, {
    id: newId(),
    organizationId,
    templateId,
    number: (last?.number ?? 0) + 1,
    note,
    document: template.draft,
    publishedByUserId: userId,
    publishedAt: now,
  });
  await changeTemplate(context, template, { publishedVersionId: version.id, hasUnpublishedChanges: false });
  return version;
}
