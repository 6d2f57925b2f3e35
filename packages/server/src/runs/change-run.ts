import { formats } from '@runward/contract';
import { decide, keyUsedMessage, type Command, type Decision, type RunState } from '@runward/engine';
import type { Actor, Author } from '../access/actor.ts';
import { ensureTemplateInScope } from '../access/resource-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { calendarOf } from '../calendar.ts';
import type { Em } from '../database/database.ts';
import { loadRun, lockRun, type LoadedRun, type RunTarget } from './store/load.ts';
import { saveRun } from './store/save.ts';
import { violates } from '../database/errors.ts';
import { eventsOf, hasSubscribers } from '../webhooks/events-of.ts';
import { badRequest, notFound } from '../api-error.ts';

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
  context: RequestContext,
  target: RunTarget,
  command: Command,
  ensure: (em: Em, run: RunState) => Promise<void> = async () => {},
): Promise<RunState> {
  const { actor } = context;
  const attempt = async (em: Em, load: typeof lockAndLoad): Promise<RunState | null> => {
    const run = await load(em, actor.organizationId, target);
    if (!run) throw notFound(kindOf(target));
    await ensureTemplateInScope(em, actor, run.state.templateId);
    await ensure(em, run.state);

    const outcome = await carryOut(em, run, command, authorOf(actor), context.now);
    if (outcome?.rejection) throw badRequest(outcome.rejection.message);
    if (outcome?.delivers) context.wake();
    return outcome && outcome.state;
  };
  const state =
    (await attempt(context.em, loadWhole)) ?? (await context.inTransaction((em) => attempt(em, lockAndLoad)));
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
  { organizationId, timeZone, state: before, activityCount, subscribers }: LoadedRun,
  command: Command,
  author: Author,
  now: Date,
): Promise<Outcome | null> {
  const decision = decide(before, command, { now: now.toISOString(), calendar: calendarOf(timeZone), formats });
  if (decision.rejection || decision.facts.length === 0) return { ...decision, delivers: false };

  const { state: after, facts } = decision;
  const events = eventsOf(organizationId, after, facts, activityCount, subscribers);
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
    return saved ? { ...decision, delivers: hasSubscribers(events) } : null;
  } catch (error) {
    // Another run's entry was completed under the same key; the engine sees one run only.
    if (violates(error, 'entry_completion_keys_pkey')) throw badRequest(keyUsedMessage);
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
