import type { Command, Rejection, RunState } from '@runward/engine';
import { authorOf } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { ApiError } from '../../api-error.ts';
import { changedMeanwhile } from '../../database/errors.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import { loadRuns, type LoadedRun } from '../store/load.ts';
import type { References } from '../store/references.ts';
import { saveChanges } from '../store/save.ts';
import { changeOf, decideAll } from './decide-and-save.ts';
import { withEvents, type DecidedChange } from './with-events.ts';

/** Returns the commands on a run. Each is decided on the state after the previous command. */
export type CommandsOf = (run: RunState) => readonly Command[];

/**
 * Calls `change` with the runs of these ids, which the caller has locked, in batches that fit in memory and with
 * everything that the commands refer to. Throws a 403 if a run is outside the caller's resource scope.
 */
export async function inBatches(
  { em, actor }: RequestContext,
  runIds: readonly string[],
  references: References | null,
  change: (runs: readonly LoadedRun[]) => Promise<void>,
): Promise<void> {
  for await (const runs of loadRuns(em, actor.organizationId, runIds, { references })) {
    for (const { template } of runs) ensureInScope(actor, template);
    await change(runs);
  }
}

/**
 * Decides commands on several runs of one organization, which the caller has locked, and saves all changes in one
 * statement. If commands are rejected, saves nothing and returns the rejections by run id.
 */
export async function changeRuns(
  { em, actor, now, ports, wake }: RequestContext,
  runs: readonly LoadedRun[],
  commandsOf: CommandsOf,
): Promise<ReadonlyMap<string, Rejection>> {
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
  // The runs are locked, but not the groups and the time zone.
  if (!(await saveChanges(em, { organizationId, timeZone, author }, changes))) throw changedMeanwhile();
  if (changes.some(({ events }) => hasSubscribers(events))) wake();
  return rejections;
}

/** Throws the rejections of records, which a request names in a list of this name, as one error with the first code. */
export function ensureNone(name: string, ids: readonly string[], rejections: ReadonlyMap<string, Rejection>): void {
  const rejected = ids.flatMap((id, index) => {
    const { code, message } = rejections.get(id) ?? {};
    return code ? [{ code, message: `${name}[${index}]: ${message}` }] : [];
  });
  const [first] = rejected;
  if (!first) return;
  throw new ApiError(
    first.code,
    rejected.map(({ message }) => message),
  );
}
