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
import { at, environmentAt, utc } from './calendar.ts';
import { frozen } from './documents.ts';

/** The command that launches a document as Ada on 2 March 2026. The run task of `task-x` gets the id `x`. */
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

/** A run under test. Each command is decided on the state after the previous one. */
export interface Driven {
  readonly state: RunState;
  /** All facts, beginning with the launch. */
  readonly facts: readonly Fact[];
  /** Applies a command and returns the types of its facts. Throws if it is rejected. */
  does(command: Command, now?: Instant): FactType[];
  /** Returns the rejection of a command. Throws if it is accepted. */
  rejects(command: Command, now?: Instant): Rejection;
  task(runTaskId: string): TaskState;
}

/**
 * Launches a document at 09:00. Commands are decided at 10:00 by default. `prepare` may change the state after the
 * launch.
 */
export function begin(
  document: ProcessDocument,
  settings: {
    launch?: Partial<LaunchCommand>;
    calendar?: Calendar;
    remindBefore?: string;
    prepare?: (state: RunState) => RunState;
  } = {},
): Driven {
  const { calendar = utc, remindBefore, prepare = (state) => state } = settings;
  const environment = (now: Instant) => environmentAt(now, calendar, remindBefore);
  const launched = accepted(launch(document, launchCommand(document, settings.launch), environment(at('09:00'))));
  let state = frozen(prepare(launched.state));
  const facts = [...launched.facts];
  const decided = (command: Command, now: Instant) => decide(state, frozen(command), environment(now));

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
    rejects(command, now = at('10:00')) {
      const { rejection } = decided(command, now);
      if (!rejection) throw new Error(`${command.type} was accepted, but the test expects a rejection.`);
      return rejection;
    },
    task(runTaskId) {
      const task = state.tasks.find((candidate) => candidate.id === runTaskId);
      if (!task) throw new Error(`The run has no task ${runTaskId}.`);
      return task;
    },
  };
}

/** The facts and the state of a decision. Throws if it is a rejection. */
export function accepted(decision: Decision): Extract<Decision, { rejection: null }> {
  if (decision.rejection) throw new Error(`The command was rejected: ${decision.rejection.message}`);
  return decision;
}

/** The command that opens an entry. */
export function open(runTaskId: string, entryId: string): Command {
  return { type: 'openEntry', runTaskId, entryId, userId: 'ada' };
}

/** The command that submits values by field key; their ids are `value-ENTRY-KEY`. */
export function submit(entryId: string, values: Readonly<Record<string, Submitted>>): Command {
  const submitted = Object.entries(values).map(([key, value]) => ({
    fieldId: `field-${key}`,
    fieldValueId: `value-${entryId}-${key}`,
    value,
  }));
  return { type: 'submitValues', entryId, values: submitted, userId: 'ada' };
}

/** The command that completes an entry. */
export function complete(entryId: string, idempotencyKey: string | null = null): Command {
  return { type: 'completeEntry', entryId, idempotencyKey, userId: 'ada' };
}

/** The command that reopens an entry. */
export function reopen(entryId: string): Command {
  return { type: 'reopenEntry', entryId };
}

/** The command that discards an entry, as Grace. */
export function discard(entryId: string): Command {
  return { type: 'discardEntry', entryId, userId: 'grace' };
}

/** The command that sets the status of a task directly. */
export function setStatus(runTaskId: string, status: 'PENDING' | 'COMPLETED'): Command {
  return { type: 'setTaskStatus', runTaskId, status, userId: 'grace' };
}

/** The command that sets the due date of a task. */
export function setDue(runTaskId: string, dueAt: Instant | null, dueAtHasTime = true): Command {
  return { type: 'setDueDate', runTaskId, dueAt, dueAtHasTime };
}

type Submitted = Extract<Command, { type: 'submitValues' }>['values'][number]['value'];
