import { formats } from '@runward/contract';
import { validate, type ProcessDocument } from '@runward/engine';
import { assigneeProblems } from '../../access/ensure-assignable.ts';
import { unpublishableLookups } from '../../access/ensure-lookup.ts';
import { lockTemplate } from '../../access/find-template.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { newId } from '../../ids.ts';
import { TemplateVersion } from '../entities/template-version.ts';
import { markSearchable } from '../queries/mark-searchable.ts';
import { changeTemplate, ensureNotArchived } from './change-template.ts';
import { ensureDocumentSize } from './ensure-document-size.ts';
import { startRuleSync } from './start-rule-sync.ts';

/** How to publish: with a note, and whether active runs get the rules of the new version. */
export interface PublishOptions {
  readonly note: string | null;
  readonly syncRules: boolean;
}

/**
 * Publishes the draft as the next version, also if it does not differ from the published one. Throws a 404, 403 or 400;
 * a 400 for an invalid draft lists every problem.
 */
export async function publishTemplate(
  context: RequestContext,
  templateId: string,
  { note, syncRules }: PublishOptions,
): Promise<TemplateVersion> {
  const { em, actor, now } = context;
  const { organizationId, userId } = actor;
  // The lock waits for launches of the previous version, so that the rule sync misses none of their runs.
  const template = await lockTemplate(context, templateId, 'update');
  ensureNotArchived(template);
  const last = await em.findOne(TemplateVersion, { organizationId, templateId }, { orderBy: { number: 'desc' } });
  ensureDocumentSize(context, template.draft);
  const problems = [
    ...validate(template.draft, formats),
    ...(await unknownApprovers(context, template.draft)),
    ...(await unpublishableLookups(context, template.draft)),
  ];
  if (problems.length > 0) throw badRequest('draft_invalid', problems);

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
  await markSearchable(em, version);
  if (syncRules) await startRuleSync(context, version);
  return version;
}

/**
 * Approvers who were deactivated, and groups that were deleted, since the draft named them. Runs would wait for them.
 */
async function unknownApprovers(context: RequestContext, { tasks }: ProcessDocument): Promise<string[]> {
  const assignments = tasks.map(({ approval }, index) => ({ path: `tasks[${index}].`, approval }));
  return assigneeProblems(context, assignments);
}
