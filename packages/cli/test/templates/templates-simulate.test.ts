import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { newFolder, runCommand } from '../support/command.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const guide = await readFile(new URL('../../../../docs/guides/templates.md', import.meta.url), 'utf8');
const part = guide.slice(guide.indexOf('## Trying a template'));
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(part)?.[1] ?? '';

/** Simulates a template with these tasks. The command has no server and no API key. */
function simulate(tasks: readonly object[], ...args: string[]) {
  const variables = [{ key: 'rush', type: 'BOOLEAN', defaultValue: false }];
  const input = JSON.stringify({ name: 'Purchase', variables, tasks });
  return runCommand(['templates', 'simulate', '-', ...args], { input });
}

function asking(rules: readonly object[], ...others: object[]) {
  const fields = [
    { key: 'price', label: 'Price', type: 'NUMBER' },
    { key: 'note', label: 'Note', type: 'TEXT', required: true },
    { key: 'hint', label: 'Hint', type: 'TEXT' },
  ];
  return [{ title: 'Ask', fields, rules }, ...others];
}

const price = (operator: string, value: number) => ({ field: 'price', operator, value });
const show = (...tasks: string[]) => ({ type: 'SHOW', tasks });
const contradiction = [price('GREATER_THAN', 10), price('LESS_THAN', 5)];

interface Report {
  readonly pathCount: number;
  readonly complete: boolean;
  readonly tried: number;
  readonly findings: Record<'severity' | 'kind' | 'task' | 'field' | 'rule', string | number | null>[];
  readonly paths?: { readonly choices: object[]; readonly tasks: string[] }[];
}

test('templates simulate prints what the guide shows, and exits with 6', async (t) => {
  const path = join(await newFolder(t), 'purchase.json');
  await writeFile(path, block('json'));
  const words = block('sh').trim().replace('purchase.json', path).split(' ').slice(1);
  const { code, stdout, stderr } = await runCommand(words);
  t.is(stdout, block('text'));
  t.is(code, 6);
  t.is(stderr, '');
});

test('templates simulate names what is never visible and exits with 6', async (t) => {
  const hidden = { type: 'SHOW', tasks: ['More'], fields: ['note', 'hint'] };
  const { code, stdout } = await simulate(
    asking([{ name: 'Odd', conditions: contradiction, actions: [hidden] }], { title: 'More' }),
  );
  t.is(code, 6);
  const { findings, paths, ...counts }: Report = JSON.parse(stdout);
  t.deepEqual(
    findings.map(({ severity, kind, task, field, rule }) => [severity, kind, task, field, rule]),
    [
      ['ERROR', 'FIELD_NEVER_VISIBLE', 'Ask', 'note', null],
      ['ERROR', 'TASK_NEVER_VISIBLE', 'More', null, null],
      ['WARNING', 'RULE_NEVER_MATCHES', 'Ask', null, 'Odd'],
      ['NOTE', 'FIELD_NEVER_VISIBLE', 'Ask', 'hint', null],
    ],
  );
  t.like(counts, { pathCount: 1, complete: true });
  t.is(paths, undefined);
});

test('templates simulate reports runs that begin without a task', async (t) => {
  const conditions = [{ variable: 'rush', operator: 'EQUALS', value: true }];
  const tasks = asking([{ conditions, actions: [{ type: 'HIDE', tasks: ['Ask'] }] }]);
  const { code, stdout } = await simulate(tasks, '-o', 'table', '--paths');
  t.is(code, 6);
  t.regex(stdout, /^2 paths, .*\nERROR {4}A run can begin without a visible task/);
  t.regex(stdout, /rush = true\n {3}the run never completes by itself\n {3}hidden: Ask\n/);
});

test('warnings alone exit with 0, and with 6 if --strict is given', async (t) => {
  const rules = [{ conditions: contradiction, actions: [{ type: 'HIDE', tasks: ['More'] }] }];
  const tasks = asking(rules, { title: 'More' });
  t.is((await simulate(tasks)).code, 0);
  const { code, stdout } = await simulate(tasks, '--strict', '-o', 'json');
  t.is(code, 6);
  const { findings }: Report = JSON.parse(stdout);
  t.deepEqual(
    findings.map(({ kind, rule }) => [kind, rule]),
    [['RULE_NEVER_MATCHES', 1]],
  );
});

test('templates simulate lists as many paths as asked for, with the names of the file', async (t) => {
  const shows = [5, 10, 20].map((limit) => ({
    conditions: [price('EQUALS', limit)],
    actions: [show(`Step ${limit}`)],
  }));
  const steps = [5, 10, 20].map((limit) => ({ title: `Step ${limit}` }));
  const all: Report = JSON.parse((await simulate(asking(shows, ...steps), '--paths')).stdout);
  t.deepEqual(
    all.paths?.map(({ tasks }) => tasks.join(', ')),
    ['Ask', 'Ask, Step 5', 'Ask, Step 10', 'Ask, Step 20'],
  );
  t.deepEqual(all.paths?.[1]?.choices, [{ field: 'price', value: 5 }]);
  const some = await simulate(asking(shows, ...steps), '--paths', '2', '-o', 'table');
  t.regex(some.stdout, /^4 paths, .*\n\nA sample of 2 paths:\n\n1\. /);
});

test('a simulation of a sample reports that it is one', async (t) => {
  const names = Array.from({ length: 10 }, (_, index) => `a${index}`);
  const fields = names.map((key) => ({ key, label: key, type: 'TEXT' }));
  const rules = names.map((field, index) => {
    const later = { field, operator: 'EQUALS', value: 'x' };
    return { conditions: [later], actions: [{ type: index % 2 === 0 ? 'SHOW' : 'HIDE', tasks: ['More'] }] };
  });
  const { stdout } = await simulate(
    [{ title: 'Ask', fields, rules }, { title: 'More' }],
    '--cases',
    '4',
    '-o',
    'table',
  );
  t.regex(stdout, /a sample of 5 of 59,049 combinations of values; there may be more/);
});

test('an invalid template file is rejected before the simulation', async (t) => {
  const { code, stderr } = await simulate(asking([], { title: 'Order', dependsOn: ['Nothing'] }));
  t.is(code, 6);
  t.regex(stderr, /tasks\[1\]\.dependsOn\[0\]: there is no task/);
});

test('templates simulate tries every case of 100 tasks with 100 rules, each depending on the one before', async (t) => {
  const tasks = Array.from({ length: 100 }, (_, index) => ({
    title: `Step ${index}`,
    fields: [{ key: `a${index}`, label: 'A', type: 'TEXT' }],
    rules: [
      {
        conditions: [{ field: `a${index}`, operator: 'EQUALS', value: 'x' }],
        actions: [index < 99 ? show(`Step ${index + 1}`) : { type: 'SET_VARIABLE', variable: 'rush', value: true }],
      },
    ],
  }));
  const { stdout } = await simulate(tasks);
  t.like(JSON.parse(stdout), { pathCount: 101, complete: true, findings: [] });
});

onTerminal('templates simulate shows its progress on a terminal and stops at Ctrl-C', async (t) => {
  // The cases are far more than can be tried.
  const names = Array.from({ length: 40 }, (_, index) => `b${index}`);
  const fields = names.map((key) => ({ key, label: key, type: 'TEXT' }));
  const rules = names.slice(1).map((field, index) => ({
    conditions: [{ field, operator: 'EQUALS', value: 'x' }],
    actions: [{ type: index % 2 === 0 ? 'SHOW' : 'HIDE', fields: ['b0'] }],
  }));
  const path = join(await newFolder(t), 'endless.json');
  await writeFile(path, JSON.stringify({ name: 'Endless', tasks: [{ title: 'Ask', fields, rules }] }));
  const terminal = openTerminal(t, ['templates', 'simulate', path, '--cases', '100000000']);
  await terminal.type('Cases tried', keys.ctrlC);
  t.is((await terminal.end()).code, 130);
});
