import type { ProcessDocument, RuleDefinition, TaskDefinition } from '../process.ts';
import { sourceOf, targetsOf, type Target } from './graph.ts';
import { comparedAs } from './operators.ts';

/** A document with the rules of another version, and the skipped rules. */
export interface WithRules {
  readonly document: ProcessDocument;
  readonly skipped: readonly SkippedRule[];
}

/** A rule that a run cannot take over. `missing` lists the tasks, fields and variables that the run lacks. */
export interface SkippedRule {
  readonly ruleId: string;
  readonly missing: readonly string[];
}

const combined = new WeakMap<ProcessDocument, WeakMap<ProcessDocument, WithRules>>();

/**
 * Gives a document the rules of another version of the template; everything else stays. A rule is skipped as a whole if
 * the document lacks its task or a part that it names, has one of its fields in another task, or compares its values
 * differently. Computed once per pair of documents.
 */
export function withRulesOf(document: ProcessDocument, version: ProcessDocument): WithRules {
  const known = combined.get(document)?.get(version);
  if (known) return known;
  const result = combine(document, version);
  const others = combined.get(document) ?? new WeakMap<ProcessDocument, WithRules>();
  combined.set(document, others.set(version, result));
  return result;
}

function combine(document: ProcessDocument, version: ProcessDocument): WithRules {
  const isMissing = missingIn(document, version);
  const skipped: SkippedRule[] = [];
  const rules = new Map<string, RuleDefinition[]>();
  for (const task of version.tasks) {
    const taken = task.rules.filter((rule) => {
      const missing = partsOf(task, rule).filter(isMissing);
      if (missing.length > 0) skipped.push({ ruleId: rule.id, missing: [...new Set(missing.map(nameOf))] });
      return missing.length === 0;
    });
    rules.set(task.id, taken);
  }
  const tasks = document.tasks.map((task) => ({ ...task, rules: rules.get(task.id) ?? [] }));
  return { document: { ...document, tasks }, skipped };
}

/** A part that a rule needs: its own task, a target of its actions, or a value that its conditions compare. */
type Part = Target | `value of ${Target}`;

function partsOf(task: TaskDefinition, { conditions, actions }: RuleDefinition): Part[] {
  const compared = conditions.map((condition): Part => `value of ${sourceOf(condition)}`);
  return [`task:${task.id}`, ...compared, ...actions.flatMap(targetsOf)];
}

/** Whether a document lacks a part of another version, or has it in an incompatible form. */
function missingIn(document: ProcessDocument, version: ProcessDocument): (part: Part) => boolean {
  const own = partsIn(document);
  const theirs = partsIn(version);
  return (part) => !own.has(part) || own.get(part) !== theirs.get(part);
}

/** The parts of a document: the task of each field, and how its fields and variables are compared. */
function partsIn({ tasks, variables }: ProcessDocument): ReadonlyMap<Part, string> {
  const parts = new Map<Part, string>();
  for (const task of tasks) {
    parts.set(`task:${task.id}`, '').set(`assignee:${task.id}`, '');
    for (const { id, type } of task.fields) {
      parts.set(`field:${id}`, task.id).set(`value of field:${id}`, `${task.id} ${comparedAs(type)}`);
    }
  }
  for (const { key, type } of variables) {
    parts.set(`variable:${key}`, comparedAs(type)).set(`value of variable:${key}`, comparedAs(type));
  }
  return parts;
}

function nameOf(part: Part): string {
  return part.slice(part.indexOf(':') + 1);
}
