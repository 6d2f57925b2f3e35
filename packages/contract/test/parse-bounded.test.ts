import { contract, parseBounded, problemsOf, withInput } from '@runward/contract';
import test from 'ava';
import { z } from 'zod';

const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const more = 'body: has more problems than these; correct them, then send it again';

function problems(schema: z.ZodType, value: unknown): string[] {
  const result = parseBounded(schema, value);
  return result.success ? [] : problemsOf(result.error, 'body');
}

const draft = contract['templates.draft'].replace.body;
const rows = contract['dataSources.rows'].bulkCreate.body;
const shapes: [name: string, schema: z.ZodType, value: unknown][] = [
  ['items of lists in items', draft, { tasks: many(60, { title: 'a', fields: many(5000, 0) }) }],
  ['values of records', rows, { rows: many(1000, { cells: Object.fromEntries(many(1000, []).entries()) }) }],
  ['texts that fail a check', z.strictObject({ names: z.array(z.string().min(1)) }), { names: many(5000, '') }],
  ['items of lists in a union', z.array(z.union([z.string(), z.array(z.string())])), many(1000, many(1000, 0))],
  ['unknown keys', z.array(z.strictObject({})), many(5000, Object.fromEntries(many(1000, 0).entries()))],
];

for (const [name, schema, value] of shapes) {
  test(`of a value with very many problems, the first ones are returned: ${name}`, (t) => {
    const result = parseBounded(schema, value);
    t.true(!result.success && result.error.issues.length <= 201);
    const found = problems(schema, value);
    t.true(found.length > 1 && found.length <= 1_201, `${found.length} problems`);
    t.is(found.at(-1), more);
    t.false(found.some((problem) => problem.includes('not checked')));
  });
}

const list = z.strictObject({ items: z.array(z.union([z.string(), z.number()])), more: z.record(z.string(), z.int()) });

test('a value that fits is valid, however many alternatives of unions it did not fit', (t) => {
  const value = { items: many(5000, 1), more: { a: 1 } };
  t.deepEqual(parseBounded(list, value), { success: true, data: value });
});

test('a value with few problems has the same as without a bound', (t) => {
  const value = { items: [...many(100, null), ...many(100, 'a')], more: { a: 'x', b: 1.5 }, other: 1 };
  const { error } = list.safeParse(value, withInput);
  t.is(error?.issues.length, 103);
  t.deepEqual(problems(list, value), problemsOf(error ?? { issues: [] }, 'body'));
});

test('a value is not valid because its first alternative had too many problems to look at others', (t) => {
  const either = z.union([z.array(z.string()), z.array(z.strictObject({ a: z.array(z.boolean()) }))]);
  t.false(parseBounded(either, many(300, { a: [1] })).success);
});

test('one value with many problems does not bound the next', (t) => {
  t.false(parseBounded(list, { items: many(5000, null), more: {} }).success);
  t.is(problems(list, { items: many(150, null), more: {} }).length, 150);
  t.is(list.safeParse({ items: many(5000, null), more: {} }).error?.issues.length, 5000);
});
