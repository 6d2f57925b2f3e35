import type { RunState } from '@runward/engine';
import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { badRequest, found } from '../../api-error.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import { withEvents } from '../change/with-events.ts';
import { findLaunchable } from '../queries/find-launchable.ts';
import { runCache } from '../store/run-cache.ts';
import { saveTogether } from '../store/save-together.ts';
import { storedRun } from '../store/save.ts';
import { emailsOf, prepareLaunch, type LaunchOptions } from './prepare-launch.ts';

const attempts = 3;

/** Options of a launch whose body may repeat the template of the path. */
interface NamedLaunchOptions extends LaunchOptions {
  readonly templateId?: string | null | undefined;
}

/** Launches a run of a published template. One statement saves it, without a transaction. Throws a 404, 403 or 400. */
export async function launchRun(
  context: Pick<RequestContext, 'actor' | 'em' | 'now' | 'wake'>,
  templateId: string,
  options: NamedLaunchOptions,
): Promise<RunState> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const run = await attemptLaunch(context, templateId, options);
    if (run) return run;
  }
  throw badRequest('changed_meanwhile', 'Others kept changing what the launch depends on; retry.');
}

/**
 * Returns null if the template was published again, archived or deleted after it was read, or if the time zone of its
 * deadlines has changed.
 */
async function attemptLaunch(
  context: Pick<RequestContext, 'actor' | 'em' | 'now' | 'wake'>,
  templateId: string,
  options: NamedLaunchOptions,
): Promise<RunState | null> {
  const { actor, em, wake } = context;
  const { organizationId } = actor;
  const named = { templateIds: [templateId], emails: emailsOf([options]) };
  const { templates, owners } = await findLaunchable(em, organizationId, named);
  const template = found(templates.get(templateId), 'Template');
  ensureInScope(actor, template);
  if (options.templateId != null && options.templateId !== templateId) {
    throw badRequest([
      `templateId: is ${options.templateId} in the body and ${templateId} in the path; omit it in the body`,
    ]);
  }
  const prepared = await prepareLaunch(context, template, options, owners);
  if (prepared.rejection !== null) throw badRequest(prepared.rejection.code, prepared.rejection.messages);

  const { run } = prepared;
  const where = { organizationId, timeZone: template.timeZone, author: authorOf(actor) };
  const [change] = await withEvents(em, where, [prepared.change]);
  if (!change || !(await saveTogether(em, where, change))) return null;
  em.shared(runCache).keep(storedRun(where, change), { forms: true });
  if (hasSubscribers(change.events)) wake();
  return run;
}
