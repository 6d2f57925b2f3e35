import { decide, keyUsed, type Command, type Decision, type RunState } from '@runward/engine';
import type { Actor, Author } from '../access/actor.ts';
import { ensureTemplateReach } from '../access/reach.ts';
import type { Scene } from '../api/handler.ts';
import { calendarOf } from '../calendar.ts';
import type { Em } from '../db/database.ts';
import { loadRun, lockRun, type LoadedRun, type RunTarget } from '../db/load-run.ts';
import { saveRun } from '../db/save-run.ts';
import { violates } from '../db/transaction.ts';
import { eventsOf, isHeard } from '../events/events-of.ts';
import { badRequest, notFound } from '../fault.ts';

/** What a caller is told when the thing it named is not there. */
function kindOf(target: RunTarget): string {
  if ('runId' in target) return 'Run';
  return 'runTaskId' in target ? 'Task' : 'Entry';
}

/**
 * Carries out one command on a run the caller may reach: reads the run, lets the engine decide, saves the facts. Throws a 404, 403 or
 * 400, in this order, and then nothing has changed. `ensure` checks what the engine cannot know: other records.
 *
 * Needs no transaction, because a change is one statement that writes only if the run is still as it was read. Where it is not, the
 * command is decided anew on the locked run.
 */
export async function changeRun(
  scene: Scene,
  target: RunTarget,
  command: Command,
  ensure: (em: Em, run: RunState) => Promise<void> = async () => {},
): Promise<RunState> {
  const { actor } = scene;
  const attempt = async (em: Em, load: typeof lockAndLoad): Promise<RunState | null> => {
    const run = await load(em, actor.organizationId, target);
    if (!run) throw notFound(kindOf(target));
    await ensureTemplateReach(em, actor, run.state.templateId);
    await ensure(em, run.state);

    const outcome = await carryOut(em, run, command, authorOf(actor), scene.now);
    if (outcome?.refusal) throw badRequest(outcome.refusal.message);
    if (outcome?.delivers) scene.wake();
    return outcome && outcome.state;
  };
  const state = (await attempt(scene.em, loadWhole)) ?? (await scene.inTransaction((em) => attempt(em, lockAndLoad)));
  if (!state) throw new Error('A run changed although its row was locked.');
  return state;
}

/** Locks a run and reads all of it; null where the organization has no such run. */
export async function lockAndLoad(em: Em, organizationId: string, target: RunTarget): Promise<LoadedRun | null> {
  const runId = await lockRun(em, organizationId, target);
  return runId === null ? null : loadWhole(em, organizationId, { runId });
}

/** A decision that was saved, and whether webhooks are to hear of it. */
export type Outcome = Decision & { readonly delivers: boolean };

/** Lets the engine decide on a run and saves what follows; null where the run has changed since it was read. */
export async function carryOut(
  em: Em,
  { organizationId, timeZone, state: before, activityCount, listeners }: LoadedRun,
  command: Command,
  author: Author,
  now: Date,
): Promise<Outcome | null> {
  const decision = decide(before, command, { now: now.toISOString(), calendar: calendarOf(timeZone) });
  if (decision.refusal || decision.facts.length === 0) return { ...decision, delivers: false };

  const { state: after, facts } = decision;
  const events = eventsOf(organizationId, after, facts, activityCount, listeners);
  try {
    const saved = await saveRun(em, {
      organizationId,
      timeZone,
      before,
      after,
      facts,
      author,
      activityCount,
      events,
    });
    return saved ? { ...decision, delivers: isHeard(events) } : null;
  } catch (error) {
    // Another run's entry was completed under the same key; the engine sees one run only.
    if (violates(error, 'entry_completion_keys_pkey')) throw badRequest(keyUsed);
    throw error;
  }
}

async function loadWhole(em: Em, organizationId: string, target: RunTarget): Promise<LoadedRun | null> {
  return loadRun(em, organizationId, target, { forms: true });
}

/** The actor as the activity log keeps it. */
export function authorOf({ type, userId, apiKeyId }: Actor): Author {
  return { type, userId, apiKeyId };
}
