import {
  decide,
  launch,
  type Calendar,
  type Command,
  type Decision,
  type Fact,
  type FactType,
  type Instant,
  type LaunchCommand,
  type ProcessDocument,
  type Rejection,
  type RunState,
  type TaskState,
} from '@runward/engine';
import { at, clockAt, utc } from './calendar.ts';
import { frozen } from './documents.ts';

/** A launch of a document by Ada on 2 March 2026. The run task of `task-x` gets the id `x`. */
export function launchCommand(document: ProcessDocument, changes: Partial<LaunchCommand> = {}): LaunchCommand {
  return frozen({
    runId: 'run',
    publicId: 'RUN-7K3M9Q',
    templateId: 'template',
    templateVersionId: 'version',
    title: null,
    template: { name: 'Onboarding', runTitlePattern: null },
    ownerUserId: 'ada',
    scheduledDateLocal: '2026-03-02',
    variables: {},
    runTaskIds: document.tasks.map((task) => task.id.replace('task-', '')),
    ...changes,
  });
}

/** A run a test drives: each command is carried out on the state the one before left. */
export interface Driven {
  readonly state: RunState;
  /** Every fact since the launch. */
  readonly facts: readonly Fact[];
  /** Carries a command out and names the facts it led to; throws where it is refused. */
  does(command: Command, now?: Instant): FactType[];
  /** Why a command is refused; throws where it is not. */
  refuses(command: Command, now?: Instant): Rejection;
  task(runTaskId: string): TaskState;
}

/** Launches a document at nine o'clock. Commands happen at ten unless they say otherwise; `prepare` may change the state. */
export function begin(
  document: ProcessDocument,
  settings: { launch?: Partial<LaunchCommand>; calendar?: Calendar; prepare?: (state: RunState) => RunState } = {},
): Driven {
  const { calendar = utc, prepare = (state) => state } = settings;
  const launched = accepted(launch(document, launchCommand(document, settings.launch), clockAt(at('09:00'), calendar)));
  let state = frozen(prepare(launched.state));
  const facts = [...launched.facts];
  const decided = (command: Command, now: Instant) => decide(state, frozen(command), clockAt(now, calendar));

  return {
    get state() {
      return state;
    },
    facts,
    does(command, now = at('10:00')) {
      const decision = accepted(decided(command, now));
      state = frozen(decision.state);
      facts.push(...decision.facts);
      return decision.facts.map((fact) => fact.type);
    },
    refuses(command, now = at('10:00')) {
      const { rejection } = decided(command, now);
      if (!rejection) throw new Error(`${command.type} was carried out, but the test expects a rejection.`);
      return rejection;
    },
    task(runTaskId) {
      const task = state.tasks.find((candidate) => candidate.id === runTaskId);
      if (!task) throw new Error(`The run has no task ${runTaskId}.`);
      return task;
    },
  };
}

/** The facts and the state of a decision that is not a rejection. */
export function accepted(decision: Decision): Extract<Decision, { rejection: null }> {
  if (decision.rejection) throw new Error(`Refused: ${decision.rejection.message}`);
  return decision;
}

/** Opens an entry. */
export function open(runTaskId: string, entryId: string): Command {
  return { type: 'openEntry', runTaskId, entryId, userId: 'ada' };
}

/** Submits values by field key; their ids are `value-…`. */
export function submit(entryId: string, values: Readonly<Record<string, Submitted>>): Command {
  const submitted = Object.entries(values).map(([key, value]) => ({
    fieldId: `field-${key}`,
    fieldValueId: `value-${entryId}-${key}`,
    value,
  }));
  return { type: 'submitValues', entryId, values: submitted, userId: 'ada' };
}

/** Completes an entry. */
export function complete(entryId: string, idempotencyKey: string | null = null): Command {
  return { type: 'completeEntry', entryId, idempotencyKey, userId: 'ada' };
}

/** Reopens an entry. */
export function reopen(entryId: string): Command {
  return { type: 'reopenEntry', entryId };
}

/** Sets a status directly. */
export function setStatus(runTaskId: string, status: 'PENDING' | 'COMPLETED'): Command {
  return { type: 'setTaskStatus', runTaskId, status, userId: 'grace' };
}

/** Sets a deadline. */
export function setDue(runTaskId: string, dueAt: Instant | null, dueAtHasTime = true): Command {
  return { type: 'setDueDate', runTaskId, dueAt, dueAtHasTime };
}

type Submitted = Extract<Command, { type: 'submitValues' }>['values'][number]['value'];
