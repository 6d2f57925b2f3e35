import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { badRequest, found } from '../../api-error.ts';
import { newIdAt } from '../../ids.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import { withEvents } from '../change/with-events.ts';
import { findLaunchable, type Launchable } from '../queries/find-launchable.ts';
import { saveLaunches, type RunChange } from '../store/save.ts';
import { emailsOf, prepareLaunch, type LaunchOptions, type PreparedLaunch } from './prepare-launch.ts';

/** A launch of a template. */
export interface NamedLaunch extends LaunchOptions {
  readonly templateId: string;
}

/** The maximum number of tasks that one statement inserts, which limits its size. */
const tasksPerStatement = 2_000;

/**
 * Launches several runs and returns their launches or rejections in the same order. Must run in a transaction. Throws a
 * 404 or 403 for a template that the caller cannot use, and a 400 if a template or the time zone changes meanwhile.
 */
export async function launchRuns(context: RequestContext, launches: readonly NamedLaunch[]): Promise<PreparedLaunch[]> {
  const { em, actor, now, wake } = context;
  const { templates, owners } = await findAll(context, launches);
  // Ids of the same millisecond are random. Sorting them keeps the order of the request in lists.
  const ids = launches.map(() => newIdAt(now)).sort();
  const prepared: PreparedLaunch[] = [];
  for (const [index, { templateId, ...options }] of launches.entries()) {
    const template = found(templates.get(templateId), 'Template');
    prepared.push(await prepareLaunch(context, template, options, owners, ids[index]));
  }

  const [{ timeZone } = { timeZone: actor.timeZone }] = templates.values();
  const where = { organizationId: actor.organizationId, timeZone, author: authorOf(actor) };
  const decided = prepared.flatMap((launch) => (launch.rejection === null ? [launch.change] : []));
  const changes = await withEvents(em, where, decided);
  for (const batch of batchesOf(changes)) {
    const areSaved = await saveLaunches(em, where, batch);
    if (!areSaved)
      throw badRequest('changed_meanwhile', 'A template changed during the launch, and nothing was launched; retry.');
  }
  if (changes.some(({ events }) => hasSubscribers(events))) wake();
  return prepared;
}

async function findAll({ em, actor }: RequestContext, launches: readonly NamedLaunch[]): Promise<Launchable> {
  const templateIds = [...new Set(launches.map(({ templateId }) => templateId))];
  const named = { templateIds, emails: emailsOf(launches) };
  const launchable = await findLaunchable(em, actor.organizationId, named);
  for (const id of templateIds) found(launchable.templates.get(id), 'Template');
  for (const template of launchable.templates.values()) ensureInScope(actor, template);
  return launchable;
}

function* batchesOf(changes: readonly RunChange[]): Generator<RunChange[]> {
  let batch: RunChange[] = [];
  let tasks = 0;
  for (const change of changes) {
    batch.push(change);
    tasks += change.after.tasks.length;
    if (tasks < tasksPerStatement) continue;
    yield batch;
    batch = [];
    tasks = 0;
  }
  if (batch.length > 0) yield batch;
}
