import {
  definedVariables,
  launch,
  unknownVariables,
  type ProcessDocument,
  type RunState,
  type VariableValue,
} from '@runward/engine';
import { ensureInScope } from '../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { calendarOf, today } from '../calendar.ts';
import { loadDocument } from '../templates/load-document.ts';
import { User } from '../organization/entities/user.ts';
import { findLaunchable } from './queries/find-launchable.ts';
import { saveLaunch } from './store/save.ts';
import { eventsOf, hasSubscribers } from '../webhooks/events-of.ts';
import { badRequest, found } from '../api-error.ts';
import { newId, newIdAt, newPublicId } from '../ids.ts';
import { authorOf } from './change-run.ts';

const attempts = 3;

/** What a launch can set besides the template (spec: POST /runs). null is the same as leaving it out. */
export interface LaunchOptions {
  /** The same template once more. */
  readonly templateId?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly scheduledDateLocal?: string | null | undefined;
  readonly ownerEmail?: string | null | undefined;
  readonly variables?: Readonly<Record<string, VariableValue>> | null | undefined;
}

/** Launches a run of a published template. Needs no transaction, because it is saved by one statement. Throws a 404, 403 or 400. */
export async function launchRun(
  context: RequestContext,
  templateId: string,
  options: LaunchOptions,
): Promise<RunState> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const run = await attemptLaunch(context, templateId, options);
    if (run) return run;
  }
  throw badRequest('The template kept changing during the launch; retry.');
}

/** Returns null if the template was published again, archived or deleted after it was read, or the time zone has changed. */
async function attemptLaunch(
  context: RequestContext,
  templateId: string,
  options: LaunchOptions,
): Promise<RunState | null> {
  const { actor, em, now, wake } = context;
  const { organizationId } = actor;
  const template = found(await findLaunchable(em, organizationId, templateId), 'Template');
  ensureInScope(actor, template);
  if (options.templateId != null && options.templateId !== templateId) {
    throw badRequest([
      `templateId: is ${options.templateId} in the body and ${templateId} in the path; omit it in the body`,
    ]);
  }
  if (template.isArchived) throw badRequest('The template is archived; unarchive it first.');
  if (template.publishedVersionId === null)
    throw badRequest('The template has no published version; publish it first.');

  const { timeZone } = template;
  const document = await loadDocument(em, organizationId, template.publishedVersionId);
  const variables = options.variables ?? {};
  const ownerUserId = options.ownerEmail == null ? actor.userId : await findOwner(context, options.ownerEmail);
  const problems = problemsOf(document, options, ownerUserId);
  if (ownerUserId === null || problems.length > 0) throw badRequest(problems);
  const decision = launch(
    document,
    {
      // Lists are ordered by id, so the id carries the time of `createdAt`.
      runId: newIdAt(now),
      publicId: newPublicId(),
      templateId,
      templateVersionId: template.publishedVersionId,
      title: options.title ?? null,
      template,
      ownerUserId,
      scheduledDateLocal: options.scheduledDateLocal ?? today(timeZone, now),
      variables,
      runTaskIds: document.tasks.map(newId),
    },
    { now: now.toISOString(), calendar: calendarOf(timeZone) },
  );
  if (decision.rejection) throw badRequest([decision.rejection.message]);

  const { state: run, facts } = decision;
  const events = eventsOf(organizationId, run, facts, 0, template.subscribers ?? []);
  const change = { before: null, after: run, facts, activityCount: 0, lastActivityAt: run.createdAt, events };
  const isSaved = await saveLaunch(em, { organizationId, timeZone, author: authorOf(actor) }, change);
  if (!isSaved) return null;
  if (hasSubscribers(events)) wake();
  return run;
}

/** One message per option that the template or the organization rejects. `ownerUserId` is null if no one has the email address. */
function problemsOf(document: ProcessDocument, options: LaunchOptions, ownerUserId: string | null): string[] {
  const owner = `ownerEmail: ${options.ownerEmail} is not an active member of this organization; see GET /users`;
  const unknown = unknownVariables(document, options.variables ?? {});
  const variables = unknown.map(
    (key) => `variables.${key}: unknown flow variable; the template defines ${definedVariables(document)}`,
  );
  return ownerUserId === null ? [owner, ...variables] : variables;
}

/** The id of the active member with an email address, or null. */
async function findOwner({ em, actor }: RequestContext, email: string): Promise<string | null> {
  const owner = await em.findOne(User, {
    organizationId: actor.organizationId,
    email: email.toLowerCase(),
    status: 'ACTIVE',
  });
  return owner?.id ?? null;
}
