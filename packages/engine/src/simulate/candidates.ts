import type { FieldType, FieldValue, VariableType } from '@runward/contract';
import { someId, traitsOf } from '../field-types/table.ts';
import type { FieldDefinition, RuleCondition, VariableDefinition } from '../process.ts';
import { comparisonOf } from '../rules/operators.ts';
import { sampleValue } from './sample-values.ts';

/** Values to choose representatives from. */
export interface Candidates {
  readonly values: readonly FieldValue[];
  /** Texts or lists that represent a class of values. The class may have no value in the format of the field. */
  readonly patterns: readonly FieldValue[];
  /** Whether there are too many classes to try a value of each. */
  readonly tooMany: boolean;
}

/** Maximum number of parts whose subsets are all tried; there would be too many otherwise. */
const maximumParts = 6;

/**
 * One value of every class that the conditions on a field or variable distinguish: equal to a compared value, different
 * from all of them, before, between and after numbers and dates, with and without each part of a text or list, and
 * empty. Not all of them fit the field.
 */
export function candidatesOf(
  read: FieldDefinition | VariableDefinition,
  conditions: readonly RuleCondition[],
): Candidates {
  const operands = conditions.flatMap<string | number | boolean | undefined>(({ value }) => value);
  const texts = [...new Set(operands.filter((one) => typeof one === 'string'))];
  const parts = conditions
    .filter(({ operator }) => operator === 'CONTAINS' || operator === 'NOT_CONTAINS')
    .map(({ value }) => String(value));
  const sample = sampleValue(read);
  const options = 'options' in read ? read.options.map(({ key }) => key) : [];
  switch (comparisonOf(read.type)) {
    case 'text':
      return textCandidates(read.type, texts, [...new Set(parts)], sample);
    case 'number':
      return simple(around(operands.filter((one) => typeof one === 'number')));
    case 'boolean':
      return simple([true, false]);
    case 'date':
      return simple([...texts.flatMap(datesAround), sample]);
    case 'choice': {
      const free = Array.from({ length: texts.length + 1 }, (_, index) => `${someId.slice(0, -4)}${1000 + index}`);
      return simple([...texts, ...options, ...free]);
    }
    case 'list': {
      const other = options.filter((key) => !parts.includes(key)).slice(0, 1);
      const { sets, tooMany } = subsets([...new Set(parts)]);
      return { ...simple([...sets, other].filter((keys) => keys.length > 0)), tooMany };
    }
    case 'presence':
      return simple([sample]);
  }
}

function simple(values: readonly FieldValue[]): Candidates {
  return { values: [null, ...values], patterns: [], tooMany: false };
}

/** Each number, and one below, between and above them. */
function around(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].sort((one, other) => one - other);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const between = sorted.slice(1).map((number, index) => (number + (sorted[index] ?? number)) / 2);
  return [...sorted, first - step(first), last + step(last), ...between];
}

/** A step large enough to change the number: neighbouring large numbers are further apart than 1. */
function step(number: number): number {
  return Math.max(1, Math.abs(number) * 1e-9);
}

/** A date or timestamp, and its direct neighbours in time. */
function datesAround(text: string): string[] {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return [text];
  const [length, distance] = text.includes('T') ? [24, 1] : [10, 86_400_000];
  const at = (moved: number) => new Date(time + moved).toISOString().slice(0, length);
  return [text, at(-distance), at(distance)];
}

/** All non-empty subsets of some parts. If there are too many parts, only the small and the large subsets. */
function subsets(parts: readonly string[]): { readonly sets: string[][]; readonly tooMany: boolean } {
  if (parts.length > maximumParts) {
    const allButOne = parts.map((one) => parts.filter((other) => other !== one));
    return { sets: [...parts.map((one) => [one]), parts.slice(), ...allButOne], tooMany: true };
  }
  const sets = Array.from({ length: 2 ** parts.length - 1 }, (_, number) =>
    parts.filter((_, index) => Math.floor((number + 1) / 2 ** index) % 2 === 1),
  );
  return { sets, tooMany: false };
}

function textCandidates(
  type: FieldType | VariableType,
  texts: readonly string[],
  parts: readonly string[],
  sample: FieldValue,
): Candidates {
  const { containing } = traitsOf(type);
  const separator = unusedCharacter(texts);
  const { sets, tooMany } = subsets(parts);
  const joined = sets.map((set) => `${separator}${set.join(separator)}${separator}`);
  const free = [separator, ...joined].flatMap(containing ?? ((text) => [text]));
  const formatted = containing ? sets.flatMap((set) => [set.join(''), set.join(separator)]).flatMap(containing) : [];
  return { values: [null, ...texts, sample, ...free, ...formatted], patterns: joined, tooMany };
}

/** A character that none of the texts contains. As a separator it cannot complete another of the texts. */
function unusedCharacter(texts: readonly string[]): string {
  const used = texts.join('').toLowerCase();
  for (let code = 'x'.codePointAt(0) ?? 0; ; code += 1) {
    const character = String.fromCodePoint(code);
    if (/^[\p{Ll}\p{Lo}]$/u.test(character) && !used.includes(character)) return character;
  }
}
