import { maximumLaunchedTasks } from '@runward/contract';
import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { badRequest, found } from '../../api-error.ts';
import { newIdAt } from '../../ids.ts';
import { fillBatch, loadDocument } from '../../templates/load-document.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import { withEvents, type DecidedChange } from '../change/with-events.ts';
import { findLaunchable, type Launchable } from '../queries/find-launchable.ts';
import { presentLaunchedRun } from '../read/present-run.ts';
import { saveLaunches } from '../store/save.ts';
import { emailsOf, prepareLaunch, type LaunchOptions, type PreparedLaunch } from './prepare-launch.ts';

/** A launch of a template. */
export interface NamedLaunch extends LaunchOptions {
  readonly templateId: string;
}

/** The run that was launched, or why it was not. */
export type LaunchOutcome =
  | { readonly rejection: null; readonly run: ReturnType<typeof presentLaunchedRun> }
  | Extract<PreparedLaunch, { rejection: object }>;

/** The maximum number of tasks that one statement inserts, which limits its size. */
const tasksPerStatement = 2_000;

/**
 * Launches several runs and returns their launches or rejections in the same order. Must run in a transaction. Throws a
 * 404 or 403 for a template that the caller cannot use, and a 400 if a template or the time zone changes meanwhile, or
 * if there are too many tasks.
 */
export async function launchRuns(context: RequestContext, launches: readonly NamedLaunch[]): Promise<LaunchOutcome[]> {
  const { em, actor, now, wake } = context;
  const { templates, owners } = await findAll(context, launches);
  await ensureFewTasks(context, launches, templates);
  const [{ timeZone } = { timeZone: actor.timeZone }] = templates.values();
  const where = { organizationId: actor.organizationId, timeZone, author: authorOf(actor) };
  // Ids of the same millisecond are random. Sorting them keeps the order of the request in lists.
  const ids = launches.map(() => newIdAt(now)).sort();
  const outcomes: LaunchOutcome[] = [];
  // Runs with many tasks or large documents take much memory, so each batch is saved before the next one is prepared.
  let batch: DecidedChange[] = [];
  let tasks = 0;
  let isFull = fillBatch();

  const saveBatch = async () => {
    const changes = await withEvents(em, where, batch);
    if (!(await saveLaunches(em, where, changes)))
      throw badRequest('changed_meanwhile', 'A template changed during the launch, and nothing was launched; retry.');
    if (changes.some(({ events }) => hasSubscribers(events))) wake();
    batch = [];
    tasks = 0;
    isFull = fillBatch();
  };

  for (const [index, { templateId, ...options }] of launches.entries()) {
    const template = found(templates.get(templateId), 'Template');
    const launch = await prepareLaunch(context, template, options, owners, ids[index]);
    if (launch.rejection !== null) {
      outcomes.push(launch);
      continue;
    }
    const { run, change } = launch;
    outcomes.push({ rejection: null, run: presentLaunchedRun(run) });
    batch.push(change);
    tasks += run.tasks.length;
    if (isFull(run.document) || tasks >= tasksPerStatement) await saveBatch();
  }
  if (batch.length > 0) await saveBatch();
  return outcomes;
}

async function findAll({ em, actor }: RequestContext, launches: readonly NamedLaunch[]): Promise<Launchable> {
  const templateIds = [...new Set(launches.map(({ templateId }) => templateId))];
  const named = { templateIds, emails: emailsOf(launches) };
  const launchable = await findLaunchable(em, actor.organizationId, named);
  for (const id of templateIds) found(launchable.templates.get(id), 'Template');
  for (const template of launchable.templates.values()) ensureInScope(actor, template);
  return launchable;
}

async function ensureFewTasks(
  { em, actor }: RequestContext,
  launches: readonly NamedLaunch[],
  templates: Launchable['templates'],
): Promise<void> {
  let tasks = 0;
  for (const { templateId } of launches) {
    const versionId = templates.get(templateId)?.publishedVersionId ?? null;
    if (versionId !== null) tasks += (await loadDocument(em, actor.organizationId, versionId)).tasks.length;
  }
  if (tasks > maximumLaunchedTasks)
    throw badRequest([`runs: would have more than ${maximumLaunchedTasks} tasks; launch fewer runs in a request`]);
}
