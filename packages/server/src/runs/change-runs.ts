import type { Command, Rejection, RunState } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { hasSubscribers } from '../webhooks/events-of.ts';
import { authorOf } from './change-run.ts';
import { changeOf, decideAll } from './decide-and-save.ts';
import type { LoadedRun } from './store/load.ts';
import { saveChanges, type RunChange } from './store/save.ts';

/**
 * Decides commands on several runs of one organization and saves all changes in one statement. The caller has locked the runs. If commands
 * are rejected, nothing is saved, and their rejections are returned by run id.
 *
 * `commandsOf` returns the commands on a run; each is decided on the state after the previous one.
 */
export async function changeRuns(
  { em, actor, now, wake }: RequestContext,
  runs: readonly LoadedRun[],
  commandsOf: (run: RunState) => readonly Command[],
): Promise<ReadonlyMap<string, Rejection>> {
  const author = authorOf(actor);
  const rejections = new Map<string, Rejection>();
  const changes: RunChange[] = [];
  for (const run of runs) {
    const decision = decideAll(run, commandsOf(run.state), now);
    if (decision.rejection) {
      rejections.set(run.state.id, decision.rejection);
    } else if (decision.facts.length > 0) {
      changes.push(changeOf(run, decision, author));
    }
  }
  const [first] = runs;
  if (!first || rejections.size > 0 || changes.length === 0) return rejections;

  const { organizationId, timeZone } = first;
  const areSaved = await saveChanges(em, { organizationId, timeZone, author }, changes);
  if (!areSaved) throw new Error('A run changed although its row was locked.');
  if (changes.some(({ events }) => hasSubscribers(events))) wake();
  return rejections;
}
