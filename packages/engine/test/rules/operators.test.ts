import { fieldTypes, ruleOperators, variableTypes, type FieldValue, type RuleOperator } from '@runward/contract';
import test from 'ava';
import { comparisonOf, fulfils, operatorsOf, type ComparisonKind } from '../../src/rules/operators.ts';

type Case = [kind: ComparisonKind, value: FieldValue, operator: RuleOperator, expected: unknown, isFulfilled: boolean];

const cases: Case[] = [
  ['text', 'Berlin', 'EQUALS', 'berlin', true],
  ['text', 'Berlin', 'EQUALS', 'bonn', false],
  ['text', 'Berlin', 'NOT_EQUALS', 'BERLIN', false],
  ['text', 'Straße in Berlin', 'CONTAINS', 'IN BER', true],
  ['text', 'Berlin', 'NOT_CONTAINS', 'x', true],
  ['text', 'Berlin', 'NOT_CONTAINS', 'ERL', false],
  ['text', 'Berlin', 'IN', ['bonn', 'BERLIN'], true],
  ['text', 'Berlin', 'NOT_IN', ['bonn', 'BERLIN'], false],
  ['text', 'κώστας', 'CONTAINS', 'ΚΏΣ', true],
  ['text', 'ΚΏΣ', 'EQUALS', 'κώσ', true],
  ['text', 'e\u0301', 'EQUALS', '\u00e9', true],
  ['number', 2, 'EQUALS', 2, true],
  ['number', 0, 'IS_EMPTY', undefined, false],
  ['number', 10, 'GREATER_THAN', 9, true],
  ['number', 10, 'GREATER_THAN', 10, false],
  ['number', 10, 'GREATER_OR_EQUAL', 10, true],
  ['number', 9, 'LESS_THAN', 10, true],
  ['number', 10, 'LESS_THAN', 10, false],
  ['number', 10, 'LESS_OR_EQUAL', 10, true],
  ['number', 10, 'IN', [9, 10], true],
  ['number', 10, 'NOT_IN', [9], true],
  ['boolean', false, 'EQUALS', false, true],
  ['boolean', true, 'EQUALS', false, false],
  ['boolean', false, 'IS_EMPTY', undefined, false],
  ['boolean', false, 'IS_NOT_EMPTY', undefined, true],
  ['date', '2026-03-01', 'BEFORE', '2026-03-02', true],
  ['date', '2026-03-02', 'BEFORE', '2026-03-02', false],
  ['date', '2026-03-03', 'AFTER', '2026-03-02', true],
  ['date', '2026-03-01T10:00:00+02:00', 'EQUALS', '2026-03-01T08:00:00Z', true],
  ['date', '2026-03-01T10:00:00+02:00', 'BEFORE', '2026-03-01T09:00:00Z', true],
  ['choice', 'A', 'EQUALS', 'a', false],
  ['choice', 'a', 'IN', ['a', 'b'], true],
  ['choice', 'a', 'NOT_EQUALS', 'b', true],
  ['list', ['a', 'b'], 'CONTAINS', 'a', true],
  ['list', ['ab'], 'CONTAINS', 'a', false],
  ['list', ['b'], 'NOT_CONTAINS', 'a', true],
  ['presence', 'id', 'IS_NOT_EMPTY', undefined, true],
];

for (const [kind, value, operator, expected, isFulfilled] of cases) {
  const [left, right] = [value, expected].map((one) => (one === undefined ? '' : JSON.stringify(one)));
  test(`${kind}: ${left} ${operator} ${right} is ${isFulfilled}`, (t) => {
    t.is(fulfils(kind, operator, value, expected as never), isFulfilled);
  });
}

test('an empty value fulfils IS_EMPTY and the operators that begin with NOT_, and no others', (t) => {
  for (const type of [...fieldTypes, ...variableTypes]) {
    for (const empty of [null, '', '  ', []]) {
      const fulfilled = operatorsOf(type).filter((operator) => {
        const isList = operator === 'IN' || operator === 'NOT_IN';
        return fulfils(comparisonOf(type), operator, empty, isList ? ['', 'a'] : '');
      });
      t.deepEqual(
        fulfilled,
        operatorsOf(type).filter((operator) => operator === 'IS_EMPTY' || operator.startsWith('NOT_')),
      );
    }
  }
});

test('whether a text is empty is found without folding it', (t) => {
  const fold = () => t.fail();
  for (const operator of ['IS_EMPTY', 'IS_NOT_EMPTY'] as const) {
    t.is(fulfils('text', operator, 'Berlin', undefined, fold as never), operator === 'IS_NOT_EMPTY');
  }
});

test('every operator fits a type', (t) => {
  const used = new Set([...fieldTypes, ...variableTypes].flatMap((type) => operatorsOf(type)));
  t.deepEqual(
    ruleOperators.filter((operator) => !used.has(operator)),
    [],
  );
});
