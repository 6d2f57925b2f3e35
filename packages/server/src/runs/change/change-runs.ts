import type { Command, Rejection, RunState } from '@runward/engine';
import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { ApiError, notFound } from '../../api-error.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import { loadRuns, loadRunsOfTasks, type LoadedRun } from '../store/load.ts';
import { lockRuns } from '../store/lock.ts';
import type { References } from '../store/references.ts';
import { saveChanges } from '../store/save.ts';
import { changeOf, decideAll } from './decide-and-save.ts';
import { withEvents, type DecidedChange } from './with-events.ts';

/** Returns the commands on a run. Each is decided on the state after the previous command. */
export type CommandsOf = (run: RunState) => readonly Command[];

/** Identifies several runs by their ids, or by the ids of their tasks. */
export type RunsTarget = { readonly runIds: readonly string[] } | { readonly runTaskIds: readonly string[] };

/**
 * Changes several runs for the caller, all or none, as `changeRun` changes one. Reads them with everything the commands
 * refer to, and calls `attempt`, which decides and saves. If that returns null because a run has changed since it was
 * read, calls it again with the runs locked. Throws a 404 if a run or a task does not exist, and a 403 if a run is
 * outside the caller's resource scope.
 */
export async function onRuns<Result>(
  context: RequestContext,
  target: RunsTarget,
  references: References | null,
  attempt: (context: RequestContext, runs: readonly LoadedRun[]) => Promise<Result | null>,
): Promise<Result> {
  const { em, actor, inTransaction } = context;
  const { organizationId } = actor;
  const checked = (runs: readonly LoadedRun[]) => {
    ensureFound(target, runs);
    for (const { template } of runs) ensureInScope(actor, template);
    return runs;
  };
  const runs = checked(
    'runIds' in target
      ? (await Array.fromAsync(loadRuns(em, organizationId, target.runIds, { references }))).flat()
      : await loadRunsOfTasks(em, organizationId, target.runTaskIds, { references }),
  );
  const done =
    (await attempt(context, runs)) ??
    (await inTransaction(async (em) => {
      const runIds = await lockRuns(
        em,
        organizationId,
        runs.map(({ state }) => state.id),
      );
      const locked = (await Array.fromAsync(loadRuns(em, organizationId, runIds, { references }))).flat();
      return attempt({ ...context, em }, checked(locked));
    }));
  if (done === null) throw changedAlthoughLocked();
  return done;
}

/**
 * Decides commands on several runs of one organization and saves all changes in one statement. If commands are
 * rejected, saves nothing and returns the rejections by run id. If a run has changed since it was read, saves nothing
 * and returns null.
 */
export async function changeRuns(
  { em, actor, now, ports, wake }: RequestContext,
  runs: readonly LoadedRun[],
  commandsOf: CommandsOf,
): Promise<ReadonlyMap<string, Rejection> | null> {
  const author = authorOf(actor);
  const rejections = new Map<string, Rejection>();
  const decided: DecidedChange[] = [];
  for (const run of runs) {
    const decision = decideAll(run, commandsOf(run.state), { now, ports });
    if (decision.rejection) {
      rejections.set(run.state.id, decision.rejection);
    } else if (decision.facts.length > 0) {
      decided.push(changeOf(run, decision, author));
    }
  }
  const [first] = runs;
  if (!first || rejections.size > 0 || decided.length === 0) return rejections;

  const { organizationId, timeZone } = first;
  const changes = await withEvents(em, { organizationId, author }, decided);
  if (!(await saveChanges(em, { organizationId, timeZone, author }, changes))) return null;
  if (changes.some(({ events }) => hasSubscribers(events))) wake();
  return rejections;
}

/** Throws the rejections of several records as one error, with the code of the first. */
export function ensureNone(rejected: readonly Pick<Rejection, 'code' | 'message'>[]): void {
  const [first] = rejected;
  if (!first) return;
  throw new ApiError(
    first.code,
    rejected.map(({ message }) => message),
  );
}

/** The same as `changeRuns`, for runs that the caller has locked. */
export async function changeLockedRuns(
  context: RequestContext,
  runs: readonly LoadedRun[],
  commandsOf: CommandsOf,
): Promise<ReadonlyMap<string, Rejection>> {
  const rejections = await changeRuns(context, runs, commandsOf);
  if (!rejections) throw changedAlthoughLocked();
  return rejections;
}

function ensureFound(target: RunsTarget, runs: readonly LoadedRun[]): void {
  if ('runIds' in target) {
    if (runs.length < target.runIds.length) throw notFound('Run');
    return;
  }
  const present = new Set(runs.flatMap(({ state }) => state.tasks.map(({ id }) => id)));
  if (!target.runTaskIds.every((id) => present.has(id))) throw notFound('Task');
}

function changedAlthoughLocked(): Error {
  return new Error('A run changed although its row was locked.');
}
