import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { PlannedChange } from '../../src/template-file/plan.ts';
import { newFolder } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';
import { onTerminal, openTerminal } from '../support/terminal.ts';

const app = useSharedApp(test);
const { newWorkplace } = useServer(test, app);

interface Planned {
  readonly templateId: string | null;
  readonly changes: PlannedChange[];
  readonly activeRuns: number | null;
}

/** A template that assigns to a member and to a group. */
const loanFor = (email: string) => ({
  name: 'Loan',
  phases: [{ key: 'check', name: 'Check' }],
  variables: [{ key: 'limit', defaultValue: 5 }],
  tasks: [
    {
      title: 'Apply',
      phase: 'check',
      fields: [
        { key: 'advisor', label: 'Advisor', type: 'USER' },
        { key: 'kind', label: 'Kind', type: 'DROPDOWN', options: [{ key: 'a', label: 'A' }] },
      ],
    },
    {
      title: 'Review',
      assigneeGroup: 'Underwriters',
      dependsOn: ['Apply'],
      due: { from: 'UNBLOCKED', offset: 'P2D' },
      rules: [
        {
          name: 'Ada reviews her own',
          conditions: [{ field: 'advisor', operator: 'IN', value: [email] }],
          actions: [
            { type: 'ASSIGN', task: 'Review', assignee: email },
            { type: 'ASSIGN', task: 'sign-1', assigneeGroup: 'Underwriters' },
          ],
        },
      ],
    },
    { key: 'sign-1', title: 'Sign', assignee: email },
    { key: 'sign-2', title: 'Sign', required: false, dependsOn: ['sign-1'] },
  ],
});

/** Adds a member and the group of underwriters. Their ids differ between organizations. */
async function addPeople({ org }: Workplace, email: string): Promise<void> {
  const owner = await org.session();
  const body = { name: 'Ada', email, password: 'long enough to be accepted' };
  await must(owner.call('users', 'create', { body }));
  await must(owner.call('groups', 'create', { body: { name: 'Underwriters' } }));
}

/** Frees the email address, because it is unique on a server, and the organizations of a test share the server. */
async function leave(email: string): Promise<void> {
  await app.provision.query('update users set email = $2 where email = $1', [email, newEmail()]);
}

const newEmail = () => `ada-${randomUUID()}@example.com`;

test('a file that was pulled from one server has no changes on another with the same people, and reads the same there', async (t) => {
  const [one, other] = [await newWorkplace(), await newWorkplace()];
  const email = newEmail();
  await addPeople(one, email);
  const file = join(await newFolder(t), 'loan.json');
  await one.data(['templates', 'apply', '-', '--yes', '--publish'], { input: JSON.stringify(loanFor(email)) });
  t.is((await one.runward(['templates', 'pull', 'Loan', file])).code, 0);
  const text = await readFile(file, 'utf8');
  t.notRegex(text.replaceAll(email, 'ada@example.com'), /[0-9a-f]{8}-[0-9a-f]{4}/);
  t.deepEqual((await one.data<Planned>(['templates', 'plan', file])).changes, []);

  await leave(email);
  await addPeople(other, email);
  t.is((await other.runward(['templates', 'plan', file, '--exit-code'])).code, 7);
  await other.data(['templates', 'apply', file, '--yes', '--publish']);
  t.is((await other.runward(['templates', 'plan', file, '--exit-code'])).code, 0);
  t.deepEqual((await other.data<Planned>(['templates', 'plan', file])).changes, []);
  t.is((await other.runward(['templates', 'pull', 'Loan'])).stdout, text);
  t.is((await other.runward(['templates', 'pull', 'Loan', '--published'])).stdout, text);
  t.deepEqual((await other.data<Planned>(['templates', 'plan', file, '--published'])).changes, []);
});

test('people and groups that the organization does not have are rejected with their paths', async (t) => {
  const workplace = await newWorkplace();
  await addPeople(workplace, newEmail());
  const loan = loanFor('eve@example.com');
  const [apply, review, ...rest] = loan.tasks;
  const tasks = [apply, { ...review, assigneeGroup: 'Underwriter' }, ...rest];
  const input = JSON.stringify({ ...loan, tasks });
  const { code, stderr } = await workplace.runward(['templates', 'plan', '-'], { input });
  t.is(code, 6);
  for (const error of [
    'tasks[1].assigneeGroup: no group has the name "Underwriter"; did you mean Underwriters?',
    'tasks[1].rules[0].conditions[0].value: no member has the email address "eve@example.com"',
    'tasks[1].rules[0].actions[0].assignee: no member has the email address "eve@example.com"',
    'tasks[2].assignee: no member has the email address "eve@example.com"',
  ]) {
    t.true(stderr.includes(error), `${error} in ${stderr}`);
  }
});

test('templates plan shows what differs with names instead of ids, and how many runs stay at their version', async (t) => {
  const workplace = await newWorkplace();
  const email = newEmail();
  await addPeople(workplace, email);
  const loan = loanFor(email);
  const { org, data, runward, newKey } = workplace;
  const { templateId } = await data<{ templateId: string }>(['templates', 'apply', '-', '--yes', '--publish'], {
    input: JSON.stringify(loan),
  });
  await launchRun(org.api, templateId);
  const [apply, review, sign, countersign] = loan.tasks;
  const changed = {
    ...loan,
    description: 'For the branches',
    phases: [],
    tasks: [
      { ...apply, phase: undefined, fields: [{ ...apply?.fields?.[1], options: [{ key: 'a', label: 'Annuity' }] }] },
      sign,
      {
        ...review,
        rules: [],
        assigneeGroup: undefined,
        assignee: email,
        fields: [{ key: 'score', label: 'Score', type: 'NUMBER', required: true }],
      },
      countersign,
    ],
  };
  const input = JSON.stringify(changed);
  const { stdout, stderr } = await runward(['templates', 'plan', '-', '-o', 'table'], { input });
  t.is(
    stdout.replace(/^~ task (Review|Sign)\n {4}moved from place \d to \d$/m, '~ task moved'),
    `~ template Loan
    description: none -> "For the branches"
- phase Check
~ task Apply
    phase: "Check" -> none
- field Apply > Advisor
~ option Apply > Kind > Annuity
    renamed "A" to "Annuity"
~ task moved
~ task Review
    assignee: none -> "${email}"
    assigneeGroup: "Underwriters" -> none
+ field Review > Score
    key: "score"
    type: "NUMBER"
    required: true
- rule Review > Ada reviews her own

1 to add, 4 to change, 1 to move, 3 to remove.
`,
  );
  t.is(
    stderr,
    'If this is published, 1 active run keeps the tasks and fields of its version and gets the new rules.\n',
  );

  const plan = await data<Planned>(['templates', 'plan', '-'], { input });
  t.is(plan.activeRuns, 1);
  t.like(plan.changes.at(-1), {
    kind: 'REMOVED',
    entity: 'RULE',
    label: 'Review > Ada reviews her own',
    before: { actions: [{ type: 'ASSIGN', task: 'Review', assignee: email }, { task: 'Sign' }] },
  });
  const key = await newKey(['templates:read', 'users:read']);
  const unable = await data<Planned>(['templates', 'plan', '-'], { input, env: { RUNWARD_API_KEY: key } });
  t.deepEqual(unable, { ...plan, activeRuns: null });

  await data(['templates', 'apply', '-', '--yes'], { input });
  t.deepEqual((await data<Planned>(['templates', 'plan', '-'], { input })).changes, []);
  t.is(
    (await data<Planned>(['templates', 'plan', '-', '--published'], { input })).changes.length,
    plan.changes.length - 1,
  );
});

test('templates apply -o table in a pipe prints the plan in whole lines, and its message separately', async (t) => {
  const { runward } = await newWorkplace();
  const input = JSON.stringify({ name: 'Contract filing', tasks: [{ title: 'Scan' }, { title: 'File' }] });
  const { stdout, stderr } = await runward(['templates', 'apply', '-', '--publish', '--yes', '-o', 'table'], { input });
  t.regex(stdout, /^\+ template Contract filing\n\+ task Scan\n[^]*\n\n3 to add\.\n$/);
  t.regex(stderr, /^\d changes in "Contract filing"\. Published as version 1\.\n$/);
});

onTerminal('templates apply on a terminal shows the plan and changes nothing unless it is confirmed', async (t) => {
  const { org, env, data } = await newWorkplace();
  const file = join(await newFolder(t), 'one.json');
  await writeFile(file, JSON.stringify({ name: 'One', tasks: [{ title: 'A' }] }));
  const total = async () => (await org.api.call('templates', 'list', {})).body.total;

  const declined = openTerminal(t, ['templates', 'apply', file], { env });
  await declined.type('+ task A');
  await declined.type('Apply this as the new template "One"?', 'n');
  t.regex((await declined.end()).screen, /Nothing was changed/);
  t.is(await total(), 0);

  const confirmed = openTerminal(t, ['templates', 'apply', file, '--publish'], { env });
  await confirmed.type('and publish it?', 'y');
  const { code, screen } = await confirmed.end();
  t.is(code, 0);
  t.regex(screen, /2 changes in "One"\. Published as version 1\./);
  t.is(await total(), 1);
  t.deepEqual((await data<Planned>(['templates', 'plan', file])).changes, []);
});
