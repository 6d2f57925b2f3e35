import type { FieldType, FieldValue } from '@runward/contract';
import type { FieldDefinition, ProcessDocument } from '@runward/engine';
import * as fc from 'fast-check';
import { field, options, processOf, task, variable } from './documents.ts';
import { ruleShapes, withRules } from './rule-arbitraries.ts';

/** The id of a file, as a field holds it. */
export const validFileId = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';

/** A valid value for some types of field. */
export const validValues = {
  TEXT: 'Ada',
  NUMBER: 0,
  CHECKBOX: false,
  DATE: '2026-03-01',
  EMAIL: 'ada@example.com',
  DROPDOWN: 's',
  MULTI_SELECT: ['m', 's'],
  FILE_UPLOAD: validFileId,
  DATA_SOURCE: validFileId,
} as const satisfies Partial<Record<FieldType, FieldValue>>;

/** A valid value for a field; null for types without one. */
export function valueFor({ type }: FieldDefinition, pick: number): FieldValue {
  if (type === 'TEXT' && pick % 3 === 0) return 'Grace';
  const value = Object.hasOwn(validValues, type) ? validValues[type as keyof typeof validValues] : null;
  return copied(value);
}

/** A value that may be changed. */
export function copied(value: string | number | boolean | null | readonly string[]): FieldValue {
  return typeof value === 'object' && value !== null ? [...value] : value;
}

const types = Object.keys(validValues) as (keyof typeof validValues)[];

const dueRule = fc.record({
  from: fc.constantFrom('LAUNCH' as const, 'SCHEDULED_DATE' as const, 'UNBLOCKED' as const),
  offset: fc.constantFrom('PT0S', 'PT30M', 'PT5H', 'P1D', 'P1W'),
  hasTime: fc.boolean(),
});

// Rules read text fields.
const fieldType = fc.oneof(
  { weight: 3, arbitrary: fc.constant('TEXT' as const) },
  { weight: 2, arbitrary: fc.constant('DATA_SOURCE' as const) },
  { weight: 3, arbitrary: fc.constantFrom(...types) },
);

const fieldShape = fc.record({ type: fieldType, required: fc.boolean(), fills: fc.subarray([0, 1, 2]) });

const taskShape = fc.record({
  required: fc.boolean(),
  repeatable: fc.boolean(),
  due: fc.option(dueRule),
  assigneeId: fc.constantFrom(null, 'ada'),
  fields: fc.array(fieldShape, { maxLength: 3 }),
  approval: fc.option(
    fc.record({
      approverIds: fc.subarray(['ada', 'grace', 'linus']),
      approverGroupIds: fc.subarray(['drivers', 'nurses']),
      policy: fc.constantFrom('ANY' as const, 'ALL' as const),
      allowSelfApproval: fc.boolean(),
    }),
  ),
  waitsFor: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
});

type TaskShape = typeof taskShape extends fc.Arbitrary<infer Shape> ? Shape : never;

/**
 * Documents of up to six tasks. Some tasks are optional or repeatable, have a due rule or required fields of several
 * types, or wait for others. Most documents have rules.
 */
export const documents: fc.Arbitrary<ProcessDocument> = fc
  .tuple(
    fc.array(taskShape, { maxLength: 6, size: 'max' }),
    fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 3, arbitrary: ruleShapes }),
  )
  .map(([shapes, rules]) => withRules(withoutRules(shapes), rules));

function withoutRules(shapes: readonly TaskShape[]): ProcessDocument {
  return processOf(
    shapes.map(({ fields, waitsFor, approval, ...shape }, index) => {
      const asked = fields.map(({ type, required, fills }, number) => {
        const choices = type === 'DROPDOWN' || type === 'MULTI_SELECT' ? options('s', 'm') : [];
        const targets = fills.filter((target) => (fields[target]?.type ?? 'DATA_SOURCE') !== 'DATA_SOURCE');
        const autoFill = targets.map((target) => ({
          columnId: `column-${target}`,
          fieldId: `field-${index}-${target}`,
        }));
        const dataSource = { dataSourceId: 'source', labelColumnId: 'column', autoFill };
        const lookup = type === 'DATA_SOURCE' ? { dataSource } : {};
        return field(`${index}-${number}`, { type, required, options: choices, ...lookup });
      });
      const dependencies = [...new Set(waitsFor)].filter((other) => other < index).map((other) => `task-t${other}`);
      return task(`t${index}`, { ...shape, approval: shape.repeatable ? null : approval, dependencies, fields: asked });
    }),
    { variables: [variable('region', 'EU'), variable('constructor')] },
  );
}
