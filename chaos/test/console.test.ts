import test from 'ava';
import { checkConsole } from '../checker/console.ts';
import type { ConsoleHistory, SentForm } from '../history/console-history.ts';
import type { ActivityRow } from '../history/history.ts';

const line = (type: string, value?: string, userId = 'member'): ActivityRow => {
  const data = value === undefined ? {} : { value };
  const actor = { type: 'USER' as const, userId, apiKeyId: null };
  const row = { type, runTaskId: 'task', sequence: 1 };
  return { ...row, runId: 'run', at: 0, deadlineAt: null, line: { ...row, id: 'line', at: '', actor, data, hash: '' } };
};
const form = (answer: string, settings: Partial<SentForm> = {}): SentForm => {
  const sent = { at: 0, runTaskId: 'task', sends: 1, status: 303, isShown: true };
  return { ...sent, answer, button: 'save', notice: 'saved', ...settings };
};
const completing: Partial<SentForm> = { button: 'complete', notice: 'allDone' };

const opened = line('entry.opened');
const saved = (answer: string) => line('value.submitted', answer);
const completed = [line('entry.completed'), line('task.completed')];

/** A member saves an answer and completes the task with another one. */
const forms = [form('a'), form('b', completing)];
const activity = [line('task.assigned', undefined, 'owner'), opened, saved('a'), saved('b'), ...completed];
const entry = { runTaskId: 'task', status: 'COMPLETED', values: ['b'] };

const rulesOf = (rows: readonly ActivityRow[], settings: Partial<ConsoleHistory> = {}) => {
  const console = { memberIds: ['member'], forms, entries: [entry], problems: [], ...settings };
  return checkConsole({ console, activity: rows }).map(({ rule }) => rule);
};

test('answers that pages confirm are in the activity, in the entry and on the page', (t) => {
  t.deepEqual(rulesOf(activity), []);
  t.deepEqual(
    rulesOf([opened, saved('a'), saved('a'), saved('b'), ...completed]),
    [],
    'saved once more by a repetition',
  );
});

test('a form without a response may or may not have been applied, and a completion is confirmed by the closed form', (t) => {
  const unanswered = { forms: [form('a'), form('b', { status: null, notice: null, isShown: null })] };
  const open = (value: string) => [{ runTaskId: 'task', status: 'OPEN', values: [value] }];
  t.deepEqual(rulesOf([opened, saved('a')], { ...unanswered, entries: open('a') }), []);
  t.deepEqual(rulesOf([opened, saved('a'), saved('b')], { ...unanswered, entries: open('b') }), []);
  const closed = { ...completing, status: 409, notice: null };
  t.deepEqual(rulesOf(activity, { forms: [form('a'), form('b', { ...closed, sends: 2 })] }), []);
  t.deepEqual(rulesOf([opened, saved('a')], { forms: [form('a'), form('b', { ...closed, sends: 2 })] }), [
    'lost answer',
  ]);
  t.deepEqual(rulesOf([opened, saved('a')], { forms: [form('a'), form('b', closed)], entries: open('a') }), [
    'rejected',
  ]);
});

const planted: readonly (readonly [string, readonly ActivityRow[], Partial<ConsoleHistory>, readonly string[]])[] = [
  ['a lost answer', [opened, saved('b'), ...completed], {}, ['lost answer']],
  ['a lost completion', [opened, saved('a'), saved('b')], {}, ['lost answer']],
  ['an answer that the API does not return', activity, { entries: [] }, ['lost answer']],
  ['an entry with another answer', activity, { entries: [{ ...entry, values: ['a'] }] }, ['lost answer']],
  ['a form that was applied twice', [...activity.slice(0, -2), saved('a'), ...completed], {}, ['applied twice']],
  ['an answer in two entries', [opened, saved('a'), opened, saved('b'), ...completed], {}, ['applied twice']],
  [
    'an answer that the next page does not have',
    activity,
    { forms: [form('a', { isShown: false }), form('b', completing)] },
    ['wrong page'],
  ],
  ['a form that was rejected', activity, { forms: [...forms, form('c', { status: 400, notice: null })] }, ['rejected']],
  ['a page that is not what it should be', activity, { problems: ['/console/tasks returned 404.'] }, ['wrong page']],
];

for (const [name, rows, settings, rules] of planted) {
  test(`the checker detects ${name}`, (t) => {
    t.deepEqual(rulesOf(rows, settings), rules);
  });
}
