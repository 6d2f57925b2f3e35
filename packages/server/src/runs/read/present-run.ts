import type { Contract, Response } from '@runward/contract';
import { blockersOf, variablesOf, type EntryState, type RunState, type TaskState } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { Rendered } from '../../rendered.ts';
import { versionOf, type ChangedRun } from '../change/change-run.ts';
import { runCache } from '../store/run-cache.ts';

type Runs = Contract['runs'];

/** A run, as its launch returns it (spec: POST /runs). */
export function presentLaunchedRun(run: RunState): Response<Runs['launch']> {
  const { id, publicId, title, status, templateId, templateVersionId, ownerUserId, createdAt } = run;
  return { id, publicId, title, status, templateId, templateVersionId, ownerUserId, createdAt };
}

/** A run with its tasks as JSON. The JSON is written once, while the run is cached and does not change. */
export function renderRun(em: Em, run: ChangedRun): Rendered<Response<Runs['get']>> {
  return em.shared(runCache).rendered(run, () => new Rendered(presentRun(run)));
}

/** A run with its tasks, and with `forms` also their entries. */
export function presentRun(run: ChangedRun, { forms = false } = {}): Response<Runs['get']> {
  const { scheduledDateLocal, completedAt, cancelledAt, archivedAt, tasks } = run.state;
  const blockersIn = (task: TaskState) => blockersOf(run.state, task).map(({ id }) => id);
  const present = (task: TaskState, position: number) => {
    const presented = presentTask(task, position, blockersIn(task));
    return forms ? { ...presented, entries: presentEntries(task) } : presented;
  };
  return {
    ...presentLaunchedRun(run.state),
    scheduledDateLocal,
    completedAt,
    cancelledAt,
    archivedAt,
    rulesVersionId: run.state.rulesVersionId,
    updatedAt: run.updatedAt,
    version: versionOf(run),
    activityHash: run.activityHash,
    variables: { ...variablesOf(run.state) },
    tasks: tasks.map(present),
  };
}

/** One task of a run, with its run. Throws if the run does not contain it. */
export function presentTaskIn(run: RunState, runTaskId: string): Response<Contract['runs.tasks']['get']> {
  const position = run.tasks.findIndex(({ id }) => id === runTaskId);
  const task = run.tasks[position];
  if (!task) throw new Error(`Run ${run.id} has no task ${runTaskId} although it was found by it.`);
  const { id: runId, title: runTitle, publicId: runPublicId, status: runStatus, templateId } = run;
  const blockedBy = blockersOf(run, task).map(({ id }) => id);
  return { ...presentTask(task, position, blockedBy), runId, runTitle, runPublicId, runStatus, templateId };
}

type PresentedProperty = Exclude<
  keyof TaskState,
  | 'entries'
  | 'dueSoonAt'
  | 'overdueSignalled'
  | 'done'
  | 'forceUnblocked'
  | 'assignedManually'
  | 'availableAt'
  | 'removedAt'
>;

/** A task of a run. `blockedBy` has the ids of the tasks that it waits for. */
export function presentTask(
  task: Pick<TaskState, PresentedProperty>,
  position: number,
  blockedBy: string[],
): Response<Runs['get']>['tasks'][number] {
  const { definition, status, hidden, dueAt, dueAtHasTime, deadlineAt, assigneeId, assigneeGroupId } = task;
  const { id: taskId, title, phaseId, required, repeatable } = definition;
  return {
    runTaskId: task.id,
    taskId,
    title,
    phaseId,
    position,
    status,
    hidden,
    hiddenFieldIds: [...task.hiddenFieldIds],
    required,
    repeatable,
    dueAt,
    dueAtHasTime,
    deadlineAt,
    assigneeId,
    assigneeGroupId,
    blockedBy,
    approval: presentApproval(task),
    completedAt: task.completedAt,
    completedByUserId: task.completedByUserId,
    retired: task.retiredFromVersionId !== null,
  };
}

/** The approval of a task; null if its definition has none. */
function presentApproval({ definition, approval }: Pick<TaskState, 'definition' | 'approval'>) {
  if (!definition.approval) return null;
  const { policy, approverIds, approverGroupIds, allowSelfApproval } = definition.approval;
  return {
    status: approval?.status ?? ('NOT_REQUESTED' as const),
    policy,
    approverIds: [...approverIds],
    approverGroupIds: [...approverGroupIds],
    allowSelfApproval,
    requestedAt: approval?.requestedAt ?? null,
    decidedAt: approval?.decidedAt ?? null,
    decisions: (approval?.decisions ?? []).map(({ groupIds: _, ...decision }) => decision),
  };
}

/** The entries of a task, newest first. */
export function presentEntries(task: TaskState): Response<Contract['execution']['open']>[] {
  return task.entries.map((entry) => presentEntry(task, entry)).reverse();
}

/** An entry of a task with its values in the order of the form. */
export function presentEntry(task: TaskState, entry: EntryState): Response<Contract['execution']['open']> {
  const { id, status, createdByUserId, createdAt, completedAt } = entry;
  return {
    id,
    runTaskId: task.id,
    status,
    createdByUserId,
    createdAt,
    completedAt,
    fieldValues: task.definition.fields.flatMap((field) =>
      entry.values
        .filter((value) => value.fieldId === field.id)
        .map(({ id, fieldId, value, rowLabel, submittedByUserId, submittedAt }) => ({
          id,
          runTaskFieldId: fieldId,
          key: field.key,
          label: field.label,
          type: field.type,
          value,
          rowLabel,
          submittedByUserId,
          submittedAt,
        })),
    ),
  };
}
