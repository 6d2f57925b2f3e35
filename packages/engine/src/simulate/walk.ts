import type { FieldValue } from '@runward/contract';
import type { Command } from '../commands.ts';
import { decide } from '../decide/decide.ts';
import type { Rejection } from '../decision.ts';
import type { Environment, Formats } from '../environment.ts';
import { traitsOf } from '../field-types/table.ts';
import { filesIn } from '../files.ts';
import { launch } from '../launch.ts';
import type { ProcessDocument, TaskDefinition, VariableValue } from '../process.ts';
import { graphOf } from '../rules/graph.ts';
import { isActive, visibleFields, type RunState, type TaskState } from '../state.ts';
import { isFilled } from '../values.ts';
import { sampleValue } from './sample-values.ts';
import type { Choices } from './search.ts';

/** A run that was worked off as far as possible. */
export interface Walk {
  readonly run: RunState;
  /** The tasks that were completed, in order. */
  readonly completed: readonly TaskDefinition[];
  /** The required tasks that could not be completed, with the reasons, in document order. */
  readonly stuck: readonly { readonly task: TaskDefinition; readonly rejection: Rejection }[];
}

/**
 * Carries out a run with the commands that people use. Launches it with the chosen variables and submits the chosen
 * values in order. Then completes the tasks, always the first that is not blocked. Other required fields get any value.
 * An optional task stays open if one of its required fields was chosen to be empty. If a value completes the run early,
 * the run is reopened for the remaining values.
 */
export function walk(document: ProcessDocument, choices: Choices, formats: Formats): Walk | null {
  const run = started(document, choices, formats);
  if (!run) return null;
  for (const [input, value] of choices) {
    if (!input.startsWith('field:') || value === null) continue;
    if (!isActive(run.state)) run.does({ type: 'reopen' });
    const fieldId = input.slice('field:'.length);
    const taskId = graphOf(document).taskOfField.get(fieldId);
    const task = run.state.tasks.find(({ definition }) => definition.id === taskId);
    if (task) run.enter(task, [{ fieldId, value }]);
  }

  const completed: TaskDefinition[] = [];
  const rejections = new Map<TaskDefinition, Rejection>();
  const isSkipped = (task: TaskState) =>
    rejections.has(task.definition) ||
    (!task.definition.required && missing(task).some(({ id }) => choices.get(`field:${id}`) === null));
  const isNext = (task: TaskState) => task.status === 'PENDING' || task.status === 'PENDING_APPROVAL';
  const next = () => run.state.tasks.find((task) => isNext(task) && !task.hidden && !isSkipped(task));
  for (let task = next(); task !== undefined && isActive(run.state); task = next()) {
    const rejection = run.complete(task);
    if (rejection) rejections.set(task.definition, rejection);
    else completed.push(task.definition);
  }
  const stuck = isActive(run.state)
    ? run.state.tasks.flatMap(({ definition: task, hidden, status }) => {
        const rejection = rejections.get(task);
        return rejection && !hidden && status !== 'COMPLETED' ? [{ task, rejection }] : [];
      })
    : [];
  return { run: run.state, completed, stuck };
}

/** Deadlines do not change what is visible or can be completed, so the simulated run takes no time. */
const timeless = {
  now: '2026-01-01T00:00:00.000Z',
  calendar: {
    startOfDay: () => timeless.now,
    endOfDay: (at: string) => at,
    add: (at: string) => at,
    subtract: (at: string) => at,
  },
  remindBefore: 'PT0S',
};

const launchCommand = {
  runId: 'run',
  publicId: 'RUN-000000',
  templateId: 'template',
  templateVersionId: 'version',
  title: 'Simulation',
  template: { name: 'Simulation', runTitlePattern: null },
  ownerUserId: 'worker',
  scheduledDateLocal: '2026-01-01',
} as const;

function started(document: ProcessDocument, choices: Choices, formats: Formats) {
  const environment: Environment = { ...timeless, formats };
  const variables = Object.fromEntries(
    document.variables.flatMap(({ key }): [string, VariableValue][] => {
      const value = choices.get(`variable:${key}`);
      return value === undefined || Array.isArray(value) ? [] : [[key, value]];
    }),
  );
  const runTaskIds = document.tasks.map(({ id }) => id);
  const launched = launch(document, { ...launchCommand, variables, runTaskIds }, environment);
  if (launched.rejection) return null;
  let { state } = launched;

  const does = (command: Command): Rejection | null => {
    const decision = decide(state, command, environment);
    if (!decision.rejection) ({ state } = decision);
    return decision.rejection;
  };
  const openEntry = ({ id: runTaskId, entries }: TaskState): string => {
    const entryId = `entry-${runTaskId}`;
    if (!entries.some(({ id }) => id === entryId)) does({ type: 'openEntry', runTaskId, entryId, userId: 'worker' });
    return entryId;
  };
  /** Enters values. Files are attached as by an upload. */
  const enter = (task: TaskState, given: readonly { readonly fieldId: string; readonly value: FieldValue }[]) => {
    const entryId = openEntry(task);
    for (const { fieldId, value } of given) {
      const fieldValueId = `value-${fieldId}`;
      const field = task.definition.fields.find(({ id }) => id === fieldId);
      const commands: Command[] =
        field && traitsOf(field.type).refersTo === 'file'
          ? filesIn(value).map((fileId) => {
              return { type: 'attachFile', entryId, fieldId, fieldValueId, fileId, userId: 'worker' };
            })
          : [{ type: 'submitValues', entryId, values: [{ fieldId, fieldValueId, value }], userId: 'worker' }];
      for (const command of commands) {
        const rejection = does(command);
        if (rejection) return rejection;
      }
    }
    return null;
  };
  const approve = ({ id: runTaskId, definition: { approval } }: TaskState) => {
    if (!approval) return;
    // A surplus approval, or one by a member who is not named, changes nothing.
    for (const userId of [...approval.approverIds, 'approver']) {
      does({ type: 'grantApproval', runTaskId, comment: null, userId, groupIds: approval.approverGroupIds });
    }
  };
  return {
    get state() {
      return state;
    },
    does,
    enter,
    /** Fills in the remaining required fields, collects all approvals, then completes the task. */
    complete(task: TaskState): Rejection | null {
      const values = missing(task).map((field) => ({ fieldId: field.id, value: sampleValue(field) }));
      const rejection = enter(task, values);
      if (rejection) return rejection;
      const entryId = openEntry(task);
      approve(task);
      return does({ type: 'completeEntry', entryId, idempotencyKey: null, userId: 'worker' });
    },
  };
}

/** The required visible fields of a task that have no value. */
function missing(task: TaskState) {
  const values = task.entries.flatMap((entry) => entry.values);
  return visibleFields(task).filter(
    ({ id, required }) => required && !values.some((one) => one.fieldId === id && isFilled(one.value)),
  );
}
