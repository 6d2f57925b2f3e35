import { z } from 'zod';
import { component } from '../component.ts';
import { givenPartKey, id, key, partKey, title, variableValue } from '../values.ts';

/** Operators of conditions. The type of the field or flow variable limits which of them are allowed. */
export const ruleOperators = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'IN',
  'NOT_IN',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_OR_EQUAL',
  'LESS_OR_EQUAL',
  'BEFORE',
  'AFTER',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
] as const;

/** How a condition compares. */
export type RuleOperator = (typeof ruleOperators)[number];

const operator = z.enum(ruleOperators).meta({
  id: 'RuleOperator',
  description:
    'Text: EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, IN, NOT_IN, ignoring case. NUMBER: EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN, ' +
    'GREATER_OR_EQUAL, LESS_OR_EQUAL, IN, NOT_IN. CHECKBOX and BOOLEAN: EQUALS. DATE and DATETIME: EQUALS, NOT_EQUALS, BEFORE, AFTER. ' +
    'DROPDOWN, USER and DATA_SOURCE: EQUALS, NOT_EQUALS, IN, NOT_IN. MULTI_SELECT: CONTAINS, NOT_CONTAINS. Every type: IS_EMPTY, ' +
    'IS_NOT_EMPTY. On an empty value only IS_EMPTY and the operators that begin with NOT_ are met; false is not empty.',
});

/** A single value to compare with: a text of at most `maximum` characters, a number or a boolean. */
export function operandUpTo(maximum: number) {
  return z.union([z.string().max(maximum, `must be at most ${maximum} characters`), z.number(), z.boolean()], {
    error: 'must be a string, a number or a boolean',
  });
}

const operand = operandUpTo(10_000);

const operands = z
  .array(z.union([z.string().max(10_000, 'must be at most 10000 characters'), z.number()]))
  .max(200, 'must contain at most 200 values');

const variableSource = component('RuleVariableSource', 'A flow variable that a condition reads.', {
  type: z.literal('VARIABLE').describe('Reads a flow variable.'),
  key: key.describe('Key of a flow variable of the template.'),
});

const ruleMatch = z.enum(['ALL', 'ANY']).meta({
  id: 'RuleMatch',
  description: 'How many of the conditions of a rule must be met. ALL: every one. ANY: at least one.',
});

const setVariable = component('SetVariableAction', 'Sets a flow variable while the rule matches.', {
  type: z.literal('SET_VARIABLE').describe('Sets a flow variable.'),
  key: key.describe('Key of a flow variable of the template.'),
  value: variableValue.describe('Its value while the rule matches; must fit the type of the variable.'),
});

/**
 * The properties of a rule. `reference` is the schema for the ids of tasks and fields. `prefix` begins the names of the
 * OpenAPI components.
 */
function propertiesWith<Reference extends z.ZodType<string, string>>(reference: Reference, prefix = '') {
  const references = (description: string) =>
    z
      .array(reference)
      .max(500, 'must contain at most 500 ids')
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain an id twice')
      .optional()
      .describe(description);
  const named = <Schema extends z.ZodType>(schema: Schema, name: string, description: string): Schema =>
    schema.meta({ id: `${prefix}${name}`, description });

  const visibility = {
    taskIds: references('Tasks of the template. Default: none.'),
    fieldIds: references('Fields of any tasks of the template. Default: none.'),
  };
  const condition = z.strictObject({
    source: z
      .discriminatedUnion('type', [
        named(
          z.strictObject({
            type: z.literal('FIELD').describe('Reads the value of a field.'),
            fieldId: reference.describe('A field of any task of the template.'),
          }),
          'RuleFieldSource',
          'A field that a condition reads.',
        ),
        variableSource,
      ])
      .describe(
        'What is compared. Of a field of a repeatable task, the value in the newest entry that has one. A hidden field, or a field of ' +
          'a hidden task, is empty.',
      ),
    operator,
    value: z
      .union([operand, operands])
      .optional()
      .describe(
        'What it is compared with: a list for IN and NOT_IN, left out for IS_EMPTY and IS_NOT_EMPTY. It must fit the type, like a ' +
          'value that is submitted; for DROPDOWN and MULTI_SELECT an option key.',
      ),
  });
  const action = z.discriminatedUnion('type', [
    named(
      z.strictObject({
        type: z.literal('SHOW').describe('Shows what is otherwise hidden.'),
        ...visibility,
      }),
      'ShowAction',
      'Shows tasks and fields, which are hidden until a rule shows them.',
    ),
    named(
      z.strictObject({
        type: z.literal('HIDE').describe('Hides what is otherwise visible.'),
        ...visibility,
      }),
      'HideAction',
      'Hides tasks and fields.',
    ),
    named(
      z.strictObject({
        type: z.literal('ASSIGN').describe('Assigns a task.'),
        taskId: reference.describe('A task of the template.'),
        assigneeId: id
          .nullable()
          .optional()
          .describe('An active member whose role is not VIEWER. Excludes `assigneeGroupId`.'),
        assigneeGroupId: id.nullable().optional().describe('A group. Excludes `assigneeId`.'),
      }),
      'AssignAction',
      'Assigns a task. A task that a person has assigned, or unassigned, in a run stays as it is.',
    ),
    setVariable,
  ]);
  return {
    name: title.nullable().describe('For people who edit the template; null for none.'),
    match: ruleMatch.describe('Whether all conditions must be met, or any of them.'),
    conditions: z
      .array(named(condition, 'RuleCondition', 'A comparison of a field or a flow variable with a value.'))
      .min(1, 'must contain at least one condition')
      .max(50, 'must contain at most 50 conditions')
      .describe('1 to 50 conditions.'),
    actions: z
      .array(named(action, 'RuleAction', 'What a rule does while it matches.'))
      .min(1, 'must contain at least one action')
      .max(50, 'must contain at most 50 actions')
      .describe('1 to 50 actions. On one target, the last one takes effect.'),
  };
}

function newRuleOf({ name, match, conditions, actions }: ReturnType<typeof propertiesWith>) {
  return z.strictObject({ key: givenPartKey, name: name.optional(), match: match.default('ALL'), conditions, actions });
}

const properties = propertiesWith(id);

/** A conditional-logic rule of a task (spec: Vocabulary). */
export const rule = component('Rule', 'What happens in a run while conditions are met.', {
  id: id.describe('Id of the rule, stable across versions.'),
  key: partKey,
  ...properties,
});

/** A rule as a client creates it. */
export const newRule = newRuleOf(properties);

/** Changes of a rule. */
export const ruleChanges = z.strictObject(properties).partial().extend({ key: givenPartKey });

/** A rule of a document. `reference` is the schema for the ids of its tasks and fields. */
export function draftRule(reference: z.ZodType<string, string>) {
  return newRuleOf(propertiesWith(reference, 'Draft'));
}
