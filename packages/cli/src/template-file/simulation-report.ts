import type { Finding, ProcessDocument, SimulatedPath, Simulation } from '@runward/engine';
import type { People } from './people.ts';

/** The result of a simulation, with the names of a template file instead of ids. */
export interface SimulationReport extends Omit<Simulation, 'findings' | 'paths'> {
  readonly findings: readonly FindingReport[];
  readonly paths: readonly PathReport[];
}

/** A finding. `rule` is the name of the rule or, without a name, its position in the task, counted from 1. */
export interface FindingReport extends Pick<Finding, 'severity' | 'kind' | 'message'> {
  readonly task: string | null;
  readonly field: string | null;
  readonly rule: string | number | null;
}

/** A path: the values that lead to it, and the titles of the completed tasks, in order. */
export interface PathReport extends Pick<SimulatedPath, 'completed' | 'variables'> {
  readonly choices: readonly {
    readonly field?: string;
    readonly variable?: string;
    readonly value: SimulatedPath['choices'][number]['value'];
  }[];
  readonly tasks: readonly string[];
  readonly open: readonly string[];
  readonly hiddenTasks: readonly string[];
  readonly hiddenFields: readonly string[];
  readonly assigned: readonly {
    readonly task: string;
    readonly assignee: string | null;
    readonly assigneeGroup: string | null;
  }[];
}

/** The report of a simulation. The members and groups are those that the document names. */
export function toReport(
  { tasks }: ProcessDocument,
  { findings, paths, ...counts }: Simulation,
  { users, groups }: People,
): SimulationReport {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const keys = new Map(tasks.flatMap(({ fields }) => fields.map(({ id, key }) => [id, key])));
  const rules = new Map(tasks.flatMap((task) => task.rules.map(({ id, name }, index) => [id, name ?? index + 1])));
  const titleOf = (id: string) => titles.get(id) ?? id;
  const keyOf = (id: string) => keys.get(id) ?? id;
  const shown = <Value>(value: Value) => (typeof value === 'string' ? users.nameOf(value) : value);
  return {
    ...counts,
    findings: findings.map(({ severity, kind, taskId, fieldId, ruleId, message }) => {
      const task = taskId === null ? null : titleOf(taskId);
      const field = fieldId === null ? null : keyOf(fieldId);
      return { severity, kind, task, field, rule: ruleId === null ? null : (rules.get(ruleId) ?? null), message };
    }),
    paths: paths.map(({ choices, completedTaskIds, openTaskIds, hiddenTaskIds, hiddenFieldIds, ...path }) => ({
      choices: choices.map(({ source, value }) =>
        source.type === 'FIELD'
          ? { field: keyOf(source.fieldId), value: shown(value) }
          : { variable: source.key, value },
      ),
      tasks: completedTaskIds.map(titleOf),
      open: openTaskIds.map(titleOf),
      hiddenTasks: hiddenTaskIds.map(titleOf),
      hiddenFields: hiddenFieldIds.map(keyOf),
      assigned: path.assigned.map(({ taskId, assigneeId, assigneeGroupId }) => ({
        task: titleOf(taskId),
        assignee: assigneeId === null ? null : users.nameOf(assigneeId),
        assigneeGroup: assigneeGroupId === null ? null : groups.nameOf(assigneeGroupId),
      })),
      variables: path.variables,
      completed: path.completed,
    })),
  };
}
