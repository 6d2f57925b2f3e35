import type { Formats } from '../environment.ts';
import { traitsOf } from '../field-types/table.ts';
import type { ProcessDocument } from '../process.ts';
import { ruleCheck } from '../rules/check-rule.ts';
import { findRuleCycles } from '../rules/cycle.ts';
import { graphOf, type PlacedRule } from '../rules/graph.ts';
import { isAmbiguous } from './approvals.ts';
import { cycleMessage, findDependencyCycles } from './dependencies.ts';
import { partOf } from './edit.ts';
import { lookupProblems } from './fields.ts';

/** Every reason why a draft cannot be published, each with what to do. Empty if it can be published. */
export function validate(document: ProcessDocument, formats: Formats): string[] {
  const problems: string[] = [];
  if (document.tasks.length === 0) problems.push('The template has no tasks; add at least one.');

  for (const task of document.tasks) {
    const { title, phaseId, assigneeId, assigneeGroupId, fields } = task;
    if (phaseId !== null && !partOf(document.phases, phaseId)) {
      problems.push(`The task "${title}" is in a phase that does not exist; move it to another phase or to none.`);
    }
    if (assigneeId !== null && assigneeGroupId !== null) {
      problems.push(`The task "${title}" is assigned to both a user and a group; clear one of them.`);
    }
    if (isAmbiguous(task)) {
      problems.push(`The task "${title}" is repeatable and has an approval; remove the approval or do not repeat it.`);
    }
    for (const field of fields) {
      const { label, type, options } = field;
      for (const problem of lookupProblems(field, fields)) {
        problems.push(`The field "${label}" of the task "${title}": ${problem}.`);
      }
      if (traitsOf(type).refersTo === 'option' && options.length === 0) {
        problems.push(`The ${type} field "${label}" of the task "${title}" has no options; add at least one.`);
      }
      for (const key of repeated(options.map((option) => option.key))) {
        problems.push(`The field "${label}" of the task "${title}" repeats the option key "${key}"; remove one.`);
      }
    }
  }

  problems.push(...ruleProblems(document, formats), ...dependencyProblems(document));

  const fields = document.tasks.flatMap((task) => task.fields);
  for (const key of repeated(fields.map((field) => field.key))) {
    const labels = fields.filter((field) => field.key === key).map((field) => `"${field.label}"`);
    problems.push(`The fields ${labels.join(', ')} have the same key "${key}"; give each field its own key.`);
  }
  for (const key of repeated(document.variables.map((variable) => variable.key))) {
    problems.push(`More than one flow variable has the key "${key}"; rename or remove the others.`);
  }
  return [...problems, ...requiredButUnfillable(document)];
}

/** A required field of this type needs a data source; otherwise no entry could be completed. */
function requiredButUnfillable({ tasks }: ProcessDocument): string[] {
  return tasks.flatMap(({ title, fields }) =>
    fields.flatMap(({ label, type, required, dataSource }) =>
      required && traitsOf(type).refersTo === 'row' && !dataSource
        ? [
            `The field "${label}" of the task "${title}" is required, but has no data source to look up rows in; set its dataSource, or make it optional.`,
          ]
        : [],
    ),
  );
}

function ruleProblems(document: ProcessDocument, formats: Formats): string[] {
  const problemsOf = ruleCheck(document, formats);
  const problems = graphOf(document).rules.flatMap((placed) =>
    problemsOf(placed.rule).map((problem) => `The ${ruleName(document, placed)}: ${problem}.`),
  );
  for (const cycle of findRuleCycles(document)) {
    const path = [...cycle, ...cycle.slice(0, 1)].map((placed) => ruleName(document, placed)).join(' -> ');
    problems.push(
      `Rules depend on each other: ${path}; change one of them so that it no longer depends on the others.`,
    );
  }
  return problems;
}

function dependencyProblems(document: ProcessDocument): string[] {
  const ids = new Set(document.tasks.map(({ id }) => id));
  const problems = document.tasks.flatMap(({ title, dependencies }) =>
    dependencies
      .filter((id) => !ids.has(id))
      .map((id) => `The task "${title}" depends on the task ${id}, which does not exist; remove the dependency.`),
  );
  const cycles = findDependencyCycles(document);
  return [...problems, ...cycles.map((cycle) => `In the dependencies, ${cycleMessage(cycle)}.`)];
}

/** A rule as messages name it: `rule "Rush orders" of the task "Ship"`. */
export function ruleName(document: ProcessDocument, { taskId, place, rule }: PlacedRule): string {
  const name = rule.name === null ? String(place[1] + 1) : `"${rule.name}"`;
  return `rule ${name} of the task "${partOf(document.tasks, taskId)?.title ?? ''}"`;
}

/** The keys that occur more than once, each once. */
function repeated(keys: readonly string[]): Set<string> {
  return new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
}
