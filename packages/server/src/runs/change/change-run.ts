import type { Command, Rejection, RunState } from '@runward/engine';
import { authorOf } from '../../access/actor.ts';
import { ensureVersion } from '../../access/ensure-version.ts';
import type { Ports, RequestContext } from '../../access/request-context.ts';
import { ensureInScope, ensureMayDo } from '../../access/resource-scope/ensure-in-scope.ts';
import { ApiError, notFound } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { taskOf } from '../read/find-task.ts';
import { loadRun, type LoadedRun } from '../store/load.ts';
import { lockRun } from '../store/lock.ts';
import type { RunTarget } from '../store/target.ts';
import type { ActivityHead } from './activity-of.ts';
import { decideAndSave } from './decide-and-save.ts';
import { ensureReferences, referencesOf } from './ensure-references.ts';

type Context = Pick<RequestContext, 'actor' | 'em' | 'inTransaction' | 'now' | 'wake' | 'ifMatch'> & {
  readonly ports: Pick<Ports, 'limits'>;
};

interface Change {
  readonly target: RunTarget;
  readonly commandOf: CommandOf;
  readonly messagesOf: MessagesOf;
}

/** Returns the command, which may depend on the run, and on what `em` reads after it. */
type CommandOf = (run: LoadedRun, em: Em) => Command | Promise<Command>;

/** Returns the message of a rejection, or one message per invalid value, each beginning with the value's path. */
type MessagesOf = (rejection: Rejection) => string | string[];

/** What approvers of a task may do. */
const ofApprovers: ReadonlySet<Command['type']> = new Set([
  'grantApproval',
  'rejectApproval',
  'addComment',
  'editComment',
  'deleteComment',
]);

/** A run after a change. */
export interface ChangedRun extends ActivityHead, Pick<LoadedRun, 'updatedAt'> {
  readonly state: RunState;
}

/** A run after a change, and its state before. */
export interface DecidedRun extends ChangedRun {
  readonly before: RunState;
}

/**
 * Changes a run by one command of the caller. Reads the run with everything the command refers to, checks that the run
 * is in the caller's resource scope and that everything referred to exists, decides and saves. Throws a 404, 403, 412
 * or 400, in this order, without having changed anything. `messagesOf` renders a rejection, by default as its message.
 *
 * Needs no transaction, because a change is one statement that only takes effect if the run is unchanged since it was
 * read. If the run has changed, the command is decided again on the locked run.
 */
export async function changeRun(
  context: Context,
  target: RunTarget,
  command: Command | CommandOf,
  messagesOf: MessagesOf = ({ message }) => message,
): Promise<DecidedRun> {
  const { em, inTransaction } = context;
  const { organizationId } = context.actor;
  const isGiven = typeof command !== 'function';
  const change = { target, commandOf: isGiven ? () => command : command, messagesOf };
  const whole = { forms: true, references: isGiven ? referencesOf(command) : null };
  const run = await loadRun(em, organizationId, target, whole);
  const changed =
    (await attempt(context, em, change, run)) ??
    (await inTransaction(async (em) => {
      const runId = await lockRun(em, organizationId, target);
      return attempt(context, em, change, runId === null ? null : await loadRun(em, organizationId, { runId }, whole));
    }));
  if (!changed) throw new Error('A run changed although its row was locked.');
  return changed;
}

/** Returns null if the run has changed since it was read. */
async function attempt(
  { actor, now, ports, wake, ifMatch }: Context,
  em: Em,
  { target, commandOf, messagesOf }: Change,
  run: LoadedRun | null,
): Promise<DecidedRun | null> {
  if (!run) throw notFound(kindOf(target));
  const task = taskOf(run.state, target);
  ensureInScope(actor, run.template, task);
  ensureVersion({ ifMatch }, 'run', versionOf(run));
  const command = ensureReferences(run, await commandOf(run, em));
  if (!ofApprovers.has(command.type)) ensureMayDo(actor, task);
  const decision = await decideAndSave(em, run, command, authorOf(actor), { now, ports });
  if (decision?.rejection) throw new ApiError(decision.rejection.code, messagesOf(decision.rejection));
  if (!decision) return null;
  if (decision.delivers) wake();
  const { state, facts, head } = decision;
  return { before: run.state, state, ...head, updatedAt: facts.at(-1)?.at ?? run.updatedAt };
}

/** The version of a run that callers see. */
export function versionOf({ activityCount }: Pick<ActivityHead, 'activityCount'>): string {
  return String(activityCount);
}

/** The kind of record that a 404 names, depending on the id that the caller sent. */
function kindOf(target: RunTarget): string {
  if ('runId' in target) return 'Run';
  return 'runTaskId' in target ? 'Task' : 'Entry';
}
