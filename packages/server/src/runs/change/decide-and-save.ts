import { formats } from '@runward/contract';
import { decideAll as decideInOrder, keyUsedMessage, type Command, type Decision, type Fact } from '@runward/engine';
import type { Author } from '../../access/actor.ts';
import type { Ports } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { clockOf } from '../../calendar.ts';
import type { Em } from '../../database/database.ts';
import { violates } from '../../database/errors.ts';
import { hasSubscribers } from '../../webhooks/events-of.ts';
import type { LoadedRun } from '../store/load.ts';
import { runCache } from '../store/run-cache.ts';
import { saveTogether } from '../store/save-together.ts';
import { storedRun } from '../store/save.ts';
import { activityOf, type ActivityHead } from './activity-of.ts';
import { withEvents, type DecidedChange } from './with-events.ts';

/**
 * A decision that was saved, and the end of the activity log after it. `delivers` is whether webhooks must be notified.
 */
export type SavedDecision = Decision & { readonly head: ActivityHead; readonly delivers: boolean };

/**
 * When commands are decided, and under which limits. The service's jobs need none, because they add nothing to a run.
 */
export interface Circumstances {
  readonly now: Date;
  readonly ports?: Pick<Ports, 'limits'>;
}

/**
 * Decides a command on a run and saves its facts. Returns null, and saves nothing, if the run has changed since it was
 * read. Throws a 400 for an idempotency key that has completed an entry of another run.
 */
export async function decideAndSave(
  em: Em,
  run: LoadedRun,
  command: Command,
  author: Author,
  circumstances: Circumstances,
): Promise<SavedDecision | null> {
  const decision = decideAll(run, [command], circumstances);
  if (decision.rejection || decision.facts.length === 0) return { ...decision, head: run, delivers: false };
  const { organizationId, timeZone } = run;
  const [change] = await withEvents(em, { organizationId, author }, [changeOf(run, decision, author)]);
  if (!change) throw new Error('A change was lost while its events were made.');
  try {
    const isSaved = await saveTogether(em, { organizationId, timeZone, author }, change);
    if (!isSaved) return null;
    em.shared(runCache).keep(storedRun({ organizationId, author }, change), { forms: true });
    return { ...decision, head: change.activity.head, delivers: hasSubscribers(change.events) };
  } catch (error) {
    // The engine only sees the keys of one run.
    if (violates(error, 'entry_completion_keys_pkey')) throw badRequest('idempotency_key_reused', keyUsedMessage);
    throw error;
  }
}

/**
 * Decides commands on a run, each on the state after the previous command. Stops at the first rejection. The facts of a
 * run never go back in time, although a request can begin before another one and be decided after it.
 */
export function decideAll(
  { state, updatedAt, ...settings }: LoadedRun,
  commands: readonly Command[],
  { now, ports }: Circumstances,
): Decision {
  const at = new Date(Math.max(now.getTime(), Date.parse(updatedAt)));
  return decideInOrder(state, commands, { ...clockOf(settings, at), formats, runBytes: ports?.limits.runBytes });
}

/** The change that results from a decision of an author on a run. */
export function changeOf(
  run: LoadedRun,
  { facts, state: after }: Extract<Decision, { rejection: null }>,
  author: Author,
): DecidedChange {
  const { state: before, activityCount, lastActivityAt, subscribers, referents, template } = run;
  return {
    before,
    after,
    facts,
    activity: activityOf(run, facts, author),
    activityCount,
    lastActivityAt,
    groupIds: [...referents.groupIds],
    // Rules may also assign to members who were deactivated.
    assigneeIds: facts.flatMap(assigneeIn).filter((id) => referents.members.has(id)),
    subscribers,
    publishedVersionId: template.publishedVersionId,
  };
}

function assigneeIn(fact: Fact): string[] {
  return fact.type === 'task.assigned' && fact.assigneeId !== null ? [fact.assigneeId] : [];
}
