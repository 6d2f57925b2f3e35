import { problemsOf, withInput } from '@runward/contract';
import test from 'ava';
import { z } from 'zod';

const named = z.strictObject({ name: z.string(), type: z.enum(['TEXT', 'NUMBER']).optional() });
const linked = z.strictObject({ target: z.guid({ error: 'must be a UUID' }), multiple: z.boolean().optional() });
const schema = z.strictObject({
  columns: z.array(z.union([z.string(), named])).optional(),
  config: z.union([named, linked]).optional(),
  variables: z.record(z.string(), z.string()).optional(),
  value: z.union([z.union([z.string(), z.number()]), z.array(z.string())]).optional(),
});

function problems(value: unknown): string[] {
  const { error } = schema.safeParse(value, withInput);
  return error ? problemsOf(error, 'body') : [];
}

test('the problems of a union are those of the member that fits the type of the value', (t) => {
  t.deepEqual(problems({ columns: ['a', { name: 'b', type: 'text' }] }), [
    'columns[1].type: must be one of TEXT, NUMBER',
  ]);
  t.deepEqual(problems({ columns: [{ name: 1, size: 2 }] }), [
    'columns[0].name: must be a string',
    'columns[0].size: unknown parameter; remove it',
  ]);
  t.deepEqual(problems({ value: [1] }), ['value[0]: must be a string']);
});

test('of several members of that type, the one with the fewest problems counts', (t) => {
  t.deepEqual(problems({ config: { target: 'x' } }), ['config.target: must be a UUID']);
  t.deepEqual(problems({ config: {} }), ['config.name: is required']);
});

test('the problem of a value of the wrong type names all types that the union accepts', (t) => {
  t.deepEqual(problems({ columns: [null] }), ['columns[0]: must be a string or an object']);
  t.deepEqual(problems({ config: null }), ['config: must be an object']);
  t.deepEqual(problems({ value: null }), ['value: must be a string or a number or an array']);
  t.deepEqual(problems({ variables: [] }), ['variables: must be an object']);
});
