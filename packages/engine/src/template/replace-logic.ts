import type { Formats } from '../environment.ts';
import type { ProcessDocument, TaskDefinition } from '../process.ts';
import { ruleCheck } from '../rules/check-rule.ts';
import { ruleWriter } from '../rules/rule-writer.ts';
import { cycleMessage, dependencyProblems, findDependencyCycles } from './dependencies.ts';
import { partOf } from './edit.ts';
import { identify } from './identify.ts';
import { keptKey, repeatedKeyProblems, type PartKeys } from './part-keys.ts';
import { renameInRule, type Renaming } from './references.ts';
import { newRule, type NewRule } from './rules.ts';

/** The rules and dependencies of a task as callers send them. Absent means none. */
export interface LogicInput {
  readonly dependencies?: readonly string[] | undefined;
  readonly rules?: readonly (NewRule & { readonly id?: string | undefined })[] | undefined;
}

/** Replaces the rules and dependencies of tasks. Returns the document, or every problem with its path. */
export function replaceLogic(
  current: ProcessDocument,
  document: ProcessDocument,
  wanted: readonly LogicInput[],
  rename: Renaming,
  { keys, newId, formats }: { readonly keys: PartKeys; readonly newId: () => string; readonly formats: Formats },
): { readonly document: ProcessDocument; readonly problems: readonly string[] } {
  const located = wanted.flatMap(({ rules = [] }, task) =>
    rules.map((rule, index) => ({ path: `tasks[${task}].rules[${index}]`, id: rule.id, task, rule })),
  );
  const known = current.tasks.flatMap((task) => task.rules);
  const { idAt, problems } = identify('rule', known, located, newId);
  const write = ruleWriter(document, formats);
  const rules = located.map(({ path, task, rule }, index) => {
    const before = partOf(known, idAt(index));
    const renamed = before?.name !== (rule.name ?? null);
    const key = keptKey({ before, given: rule.key, renamed, keys: () => keys.rules });
    return { path, task, rule: write(renameInRule(newRule(idAt(index), { ...rule, key }), rename)) };
  });
  const all = rules.map(({ rule }) => rule);
  const tasks = document.tasks.map((task, index): TaskDefinition => ({
    ...task,
    dependencies: (wanted[index]?.dependencies ?? []).map(rename.task),
    rules: rules.flatMap(({ task: owner, rule }) => (owner === index ? [rule] : [])),
  }));
  const next = { ...document, tasks };
  const problemsOf = ruleCheck(next, formats);
  return {
    document: next,
    problems: [
      ...problems,
      ...rules.flatMap(({ path, rule }) =>
        [...repeatedKeyProblems('rule', rule, all), ...problemsOf(rule)].map((problem) => `${path}.${problem}`),
      ),
      ...tasks.flatMap((task, index) =>
        dependencyProblems(next, task).map((problem) => `tasks[${index}].dependencies${problem}`),
      ),
      ...findDependencyCycles(next).map((cycle) => `tasks: ${cycleMessage(cycle)}`),
    ],
  };
}
