import type { Formats } from '../environment.ts';
import type {
  FieldDefinition,
  ProcessDocument,
  RuleAction,
  RuleCondition,
  RuleDefinition,
  VariableDefinition,
} from '../process.ts';
import { checkValue } from '../values.ts';
import { comparisonProblems } from './comparison-problems.ts';
import { sourcesOf, targetsOf } from './graph.ts';
import { operatorsOf } from './operators.ts';

/** Returns every problem of a rule, each beginning with the path of the property; empty if the rule can be saved. */
export type RuleCheck = (rule: RuleDefinition) => string[];

/**
 * Checks the rules of a document. Finds unknown ids, operators and values that do not fit the compared type, and
 * actions that change what the rule itself reads.
 */
export function ruleCheck(document: ProcessDocument, formats: Formats): RuleCheck {
  const parts = partsOf(document);
  return (rule) => problemsOf(parts, rule, formats);
}

function problemsOf(parts: Parts, rule: RuleDefinition, formats: Formats): string[] {
  const sources = new Set(rule.conditions.flatMap((condition) => sourcesOf(condition, parts.taskOfField)));
  return [
    ...rule.conditions.flatMap((condition, index) =>
      problemsOfCondition(parts, condition, formats).map((problem) => `conditions[${index}].${problem}`),
    ),
    ...rule.actions.flatMap((action, index) => {
      const problems = problemsOfAction(parts, action, formats).map((problem) => `actions[${index}].${problem}`);
      const own = targetsOf(action).find((target) => sources.has(target));
      if (own === undefined || problems.length > 0) return problems;
      return [`actions[${index}]: changes the ${nameOf(own)} that the rule itself depends on; remove one of them`];
    }),
  ];
}

/** The parts of a document that rules can name. */
interface Parts {
  readonly tasks: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly taskOfField: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, VariableDefinition>;
}

function partsOf({ tasks, variables }: ProcessDocument): Parts {
  const fields = tasks.flatMap((task) => task.fields.map((field) => ({ taskId: task.id, field })));
  return {
    tasks: new Set(tasks.map(({ id }) => id)),
    fields: new Map(fields.map(({ field }) => [field.id, field])),
    taskOfField: new Map(fields.map(({ taskId, field }) => [field.id, taskId])),
    variables: new Map(variables.map((variable) => [variable.key, variable])),
  };
}

function problemsOfCondition({ fields, variables }: Parts, condition: RuleCondition, formats: Formats): string[] {
  const { source } = condition;
  const read = source.type === 'FIELD' ? fields.get(source.fieldId) : variables.get(source.key);
  if (!read) {
    return [
      source.type === 'FIELD'
        ? `source.fieldId: the template has no field ${source.fieldId}; use the id of one of its fields`
        : `source.key: the template has no flow variable "${source.key}"; use the key of one of its variables`,
    ];
  }
  return comparisonProblems(read, operatorsOf(read.type), condition, formats);
}

function problemsOfAction({ tasks, fields, variables }: Parts, action: RuleAction, formats: Formats): string[] {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE': {
      if (action.taskIds.length + action.fieldIds.length === 0) {
        return [`taskIds: must name a task, unless fieldIds names a field`];
      }
      return [
        ...action.taskIds.flatMap((id, index) => (tasks.has(id) ? [] : [`taskIds[${index}]: ${unknownTask(id)}`])),
        ...action.fieldIds.flatMap((id, index) =>
          fields.has(id)
            ? []
            : [`fieldIds[${index}]: the template has no field ${id}; use the id of one of its fields`],
        ),
      ];
    }
    case 'ASSIGN': {
      const problems = tasks.has(action.taskId) ? [] : [`taskId: ${unknownTask(action.taskId)}`];
      if ((action.assigneeId === null) === (action.assigneeGroupId === null)) {
        problems.push('assigneeId: send either assigneeId or assigneeGroupId');
      }
      return problems;
    }
    case 'SET_VARIABLE': {
      const variable = variables.get(action.key);
      if (!variable) {
        return [`key: the template has no flow variable "${action.key}"; use the key of one of its variables`];
      }
      const problem = checkValue(variable, action.value, formats);
      return problem === null ? [] : [`value: ${problem}`];
    }
  }
}

function unknownTask(id: string): string {
  return `the template has no task ${id}; use the id of one of its tasks`;
}

function nameOf(target: string): string {
  const kind = target.slice(0, target.indexOf(':'));
  return kind === 'variable' ? 'flow variable' : kind;
}
