import type { CommandOf } from '../commands.ts';
import type { CommandResult } from '../decision.ts';
import { deadlineAtLaunch } from '../due.ts';
import type { FactOf, StartedTask } from '../facts.ts';
import { migrated } from '../migrated.ts';
import { withRulesOf, type WithRules } from '../rules/with-rules.ts';
import { isActive, isRetired, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { outcomeOf } from './rules.ts';
import { notActive } from './run.ts';

/**
 * Moves an active run to another version. Tasks in both versions keep their entries and values. Tasks that only the run
 * has are removed; completed ones are retired. Changes nothing if the run follows the version already, even after it
 * has ended, so that a retry is not rejected.
 */
export function migrate(run: RunState, command: CommandOf<'migrate'>, clock: Clock): CommandResult {
  const { toVersionId, document } = command;
  if (run.templateVersionId === toVersionId) return { facts: [] };
  if (!isActive(run)) return notActive(run);

  const present = byTask(run.tasks.filter((task) => !isRetired(task)));
  const left = byTask([...run.tasks.filter(isRetired), ...run.removedTasks]);
  const wanted = new Set(document.tasks.map(({ id }) => id));
  const surplus = run.tasks.filter(({ definition }) => !wanted.has(definition.id));
  const isCompleted = ({ status }: TaskState) => status === 'COMPLETED';
  const withoutAdded: FactOf<'run.migrated'> = {
    type: 'run.migrated',
    at: clock.now,
    fromVersionId: run.templateVersionId,
    templateVersionId: toVersionId,
    kept: document.tasks.flatMap(({ id }) => present.get(id)?.id ?? []),
    added: [],
    restored: document.tasks.flatMap(({ id }) => left.get(id)?.id ?? []),
    retired: surplus.filter(isCompleted).map(({ id }) => id),
    removed: surplus.filter((task) => !isCompleted(task)).map(({ id }) => id),
  };
  const added = addedTasks(migrated(run, withoutAdded, document), command, clock);
  return { facts: [{ ...withoutAdded, added }] };
}

/**
 * Gives an active run the rules of a later version, as far as they name what the run has. A run that has these rules
 * already, because they do not differ and the same ones are skipped, or has those of this version or of a later one,
 * does not change.
 */
export function syncRules(
  run: RunState,
  { templateVersionId, document, earlierVersionIds, rulesBefore }: CommandOf<'syncRules'>,
  { now }: Clock,
): CommandResult {
  if (!isActive(run)) return notActive(run);
  if (!earlierVersionIds.includes(run.rulesVersionId ?? run.templateVersionId)) return { facts: [] };
  const [before, after] = [withRulesOf(run.document, rulesBefore), withRulesOf(run.document, document)];
  if (haveSameRules(before, after)) return { facts: [] };
  return { facts: [{ type: 'run.rules_synchronized', at: now, templateVersionId, skipped: after.skipped }] };
}

/**
 * The tasks that the version adds. They start as if launched with the run, with the current values of its variables.
 */
function addedTasks(run: RunState, { document, runTaskIds }: CommandOf<'migrate'>, clock: Clock): StartedTask[] {
  const origins = { scheduledDate: run.scheduledDateLocal, launchedAt: run.createdAt };
  const present = byTask(run.tasks);
  const outcome = outcomeOf(run);
  const isHidden = (taskId: string) => outcome.isHidden(`task:${taskId}`);
  const isOpen = (taskId: string) => !isHidden(taskId) && present.get(taskId)?.status !== 'COMPLETED';
  return document.tasks.flatMap((task, index): StartedTask[] => {
    const runTaskId = runTaskIds[index];
    const { id: taskId } = task;
    if (runTaskId === undefined || present.has(taskId)) return [];
    const { assigneeId, assigneeGroupId } = outcome.assignmentOf(taskId) ?? task;
    const blocked = task.dependencies.some(isOpen);
    const hiddenFieldIds = task.fields.map(({ id }) => id).filter((id) => outcome.isHidden(`field:${id}`));
    const due = deadlineAtLaunch(task.due, blocked, origins, clock);
    return [
      { runTaskId, taskId, ...due, assigneeId, assigneeGroupId, blocked, hidden: isHidden(taskId), hiddenFieldIds },
    ];
  });
}

function byTask(tasks: readonly TaskState[]): ReadonlyMap<string, TaskState> {
  return new Map(tasks.map((task) => [task.definition.id, task]));
}

function haveSameRules(one: WithRules, other: WithRules): boolean {
  const rulesOf = ({ document, skipped }: WithRules) =>
    JSON.stringify([document.tasks.map(({ rules }) => rules), skipped]);
  return rulesOf(one) === rulesOf(other);
}
