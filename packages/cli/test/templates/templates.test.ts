import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { PlannedChange } from '../../src/template-file/plan.ts';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

const onboarding = {
  name: 'Onboarding',
  description: 'From contract to first day',
  runTitlePattern: 'Onboard {{variables.fullName}}',
  variables: [
    { key: 'fullName', description: 'As in the contract' },
    { key: 'copies', defaultValue: 2 },
  ],
  phases: [
    { key: 'before', name: 'Before' },
    { key: 'day-one', name: 'Day one', description: 'In the office' },
  ],
  tasks: [
    {
      key: 'sign',
      title: 'Sign the contract',
      phase: 'before',
      due: { from: 'LAUNCH', offset: 'P3D', hasTime: false },
      fields: [
        { key: 'signedOn', label: 'Signed on', type: 'DATE', required: true },
        {
          key: 'size',
          label: 'Shirt',
          type: 'DROPDOWN',
          options: [
            { key: 's', label: 'S' },
            { key: 'm', label: 'M' },
          ],
        },
      ],
    },
    { title: 'Order a laptop', phase: 'before', required: false },
    { title: 'Welcome', phase: 'day-one', description: 'Coffee', repeatable: true },
  ],
};

interface Applied {
  readonly templateId: string;
  readonly changes: PlannedChange[];
  readonly version: { number: number } | null;
}

interface Draft {
  readonly status: string;
  readonly phases: { id: string; name: string }[];
  readonly tasks: { id: string; title: string; phaseId: string | null; fields: { id: string; key: string }[] }[];
}

const summaryOf = ({ changes }: Pick<Applied, 'changes'>) =>
  changes.map(({ kind, entity, label, after = {} }) =>
    [kind, entity, label, ...(kind === 'CHANGED' ? Object.keys(after) : [])].join(' '),
  );

test('templates apply creates and publishes a template as plan says; applying the same file again changes nothing', async (t) => {
  const { data, runward } = await newWorkplace();
  const file = join(await newFolder(t), 'onboarding.json');
  await writeFile(file, JSON.stringify(onboarding));

  const plan = await data<Applied>(['templates', 'plan', file]);
  t.is(plan.templateId, null as never);
  t.deepEqual(await data(['templates', 'list']), []);

  const first = await data<Applied>(['templates', 'apply', file, '--publish', '--note', 'First', '--yes']);
  t.deepEqual(first.changes, plan.changes);
  t.deepEqual(summaryOf(first), [
    'ADDED TEMPLATE Onboarding',
    'ADDED PHASE Before',
    'ADDED PHASE Day one',
    'ADDED TASK Sign the contract',
    'ADDED FIELD Sign the contract > Signed on',
    'ADDED FIELD Sign the contract > Shirt',
    'ADDED TASK Order a laptop',
    'ADDED TASK Welcome',
    'ADDED VARIABLE fullName',
    'ADDED VARIABLE copies',
  ]);
  t.true(first.changes.every(({ id }) => id === null));
  t.like(first.changes[5]?.after, { task: 'Sign the contract', type: 'DROPDOWN', position: 1 });
  t.is(first.version?.number, 1);

  const again = await runward(['templates', 'apply', file, '--publish', '--yes']);
  t.deepEqual(JSON.parse(again.stdout), { templateId: first.templateId, changes: [], version: null });
  t.is(again.stderr, 'No changes in "Onboarding".\n');

  const draft = await data<Draft>(['templates', 'get', 'Onboarding']);
  t.is(draft.status, 'PUBLISHED');
  t.deepEqual(
    draft.tasks.map(({ title, phaseId }) => [title, draft.phases.find(({ id }) => id === phaseId)?.name]),
    [
      ['Sign the contract', 'Before'],
      ['Order a laptop', 'Before'],
      ['Welcome', 'Day one'],
    ],
  );
  const back = await data<typeof onboarding>(['templates', 'pull', first.templateId]);
  const keys = ['sign', 'order-a-laptop', 'welcome'];
  t.deepEqual(back, {
    ...onboarding,
    tasks: onboarding.tasks.map((task, at) => ({ ...task, key: keys[at] })),
  } as typeof back);
});

test('templates apply updates what differs, keeps IDs, moves parts and fields, deletes what is not in the file, and asks first', async (t) => {
  const { data, runward } = await newWorkplace();
  const file = join(await newFolder(t), 'onboarding.json');
  await writeFile(file, JSON.stringify(onboarding));
  await data(['templates', 'apply', file, '--yes']);
  const before = await data<Draft>(['templates', 'get', 'Onboarding']);

  const [sign, laptop, welcome] = onboarding.tasks;
  const [signedOn, size] = sign?.fields ?? [];
  const changed = {
    ...onboarding,
    runTitlePattern: undefined,
    variables: [{ key: 'copies', defaultValue: 3 }],
    phases: onboarding.phases.toReversed(),
    tasks: [
      {
        ...sign,
        fields: [
          { key: 'place', label: 'Place', type: 'TEXT' },
          { ...signedOn, type: 'TEXT' },
        ],
      },
      { ...welcome, phase: undefined, fields: [{ ...size, label: 'Shirt size' }] },
      { title: 'Say goodbye' },
    ],
  };
  await writeFile(file, JSON.stringify(changed));
  const rejected = await runward(['templates', 'apply', file]);
  t.is(rejected.code, 2);
  t.regex(rejected.stderr, /No terminal to ask on\. Use --yes/);
  t.deepEqual(await data<Draft>(['templates', 'get', 'Onboarding']), before);

  const applied = await data<Applied>(['templates', 'apply', file, '--yes']);
  t.deepEqual(summaryOf(applied), [
    'CHANGED TEMPLATE Onboarding runTitlePattern',
    'MOVED PHASE Day one',
    'ADDED FIELD Sign the contract > Place',
    'CHANGED FIELD Sign the contract > Signed on type',
    'REMOVED TASK Order a laptop',
    'CHANGED TASK Welcome phase',
    'MOVED FIELD Welcome > Shirt size',
    'CHANGED FIELD Welcome > Shirt size label',
    'ADDED TASK Say goodbye',
    'REMOVED VARIABLE fullName',
    'CHANGED VARIABLE copies defaultValue',
  ]);
  t.like(applied.changes[5], { before: { phase: 'Day one' }, after: { phase: null } });
  t.like(applied.changes[6], { before: { task: 'Sign the contract' }, after: { task: 'Welcome' } });
  t.deepEqual((await data<Applied>(['templates', 'apply', file, '--yes'])).changes, []);
  const after = await data<Draft>(['templates', 'get', 'Onboarding']);
  t.deepEqual(
    after.tasks.map(({ title, fields }) => [title, fields.map(({ key }) => key)]),
    [
      ['Sign the contract', ['place', 'signedOn']],
      ['Welcome', ['size']],
      ['Say goodbye', []],
    ],
  );
  t.is(after.tasks[1]?.id, before.tasks[2]?.id ?? '');
  t.is(after.tasks[1]?.fields[0]?.id, before.tasks[0]?.fields[1]?.id ?? '');
  t.not(laptop, undefined);
});

test('templates apply reports every error of a file before it sends anything', async (t) => {
  const { data, runward } = await newWorkplace();
  const apply = (file: object | string, ...args: string[]) =>
    runward(['templates', 'apply', '-', '--yes', ...args], {
      input: typeof file === 'string' ? file : JSON.stringify(file),
    });
  const schema = await apply({
    name: '',
    colour: 'red',
    tasks: [{ title: 'A', due: { from: 'NOW', offset: '3 days' }, fields: [{ label: 'X', type: 'TXT' }] }, {}],
  });
  t.is(schema.code, 6);
  for (const error of [
    'name: must not be empty',
    'colour: unknown parameter; remove it',
    'tasks[0].due.from: must be one of LAUNCH, SCHEDULED_DATE, UNBLOCKED',
    'tasks[0].due.offset: must be an ISO 8601 duration',
    'tasks[0].fields[0].type: must be one of TEXT,',
    'tasks[0].fields[0].key: is required',
    'tasks[1].title: is required',
  ]) {
    t.true(schema.stderr.includes(error), `${error} in ${schema.stderr}`);
  }

  const crossed = await apply({
    name: 'X',
    phases: [
      { key: 'a', name: 'A' },
      { key: 'a', name: 'A' },
    ],
    tasks: [
      { key: 'same', title: 'Same' },
      { title: 'Same', phase: 'b' },
    ],
  });
  t.regex(crossed.stderr, /phases\[1\]\.key: phases\[0\] already has "a"; choose another/);
  t.regex(crossed.stderr, /tasks\[1\]\.title: tasks\[0\] already has "Same"; choose another, or give/);
  t.regex(crossed.stderr, /tasks\[1\]\.phase: there is no phase with the key "b"/);

  const rules = await apply({
    name: 'X',
    variables: [{ key: 'v' }, { key: 'v' }],
    tasks: [
      {
        title: 'A',
        fields: [
          { key: 'k', label: 'K', type: 'DROPDOWN' },
          { key: 'l', label: 'L', type: 'TEXT' },
          { key: 'l', label: 'M', type: 'TEXT' },
        ],
      },
    ],
  });
  t.regex(rules.stderr, /variables\[1\]\.key: the template already has a flow variable "v"/);
  t.regex(rules.stderr, /tasks\[0\]\.fields\[0\]\.options: a DROPDOWN field needs at least one/);
  t.regex(rules.stderr, /tasks\[0\]\.fields\[2\]\.key: the field "L" already has the key "l"/);

  t.regex((await apply({ name: 'Empty' }, '--publish')).stderr, /The template has no tasks; add at least one/);
  t.regex((await apply('{"name": ')).stderr, /stdin is not valid JSON/);
  t.deepEqual(await data(['templates', 'list']), []);
});

test('templates apply with --id updates that template; an ambiguous or archived name is rejected', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { body: one } = await org.api.call('templates', 'create', { body: { name: 'Twin' } });
  await org.api.call('templates', 'create', { body: { name: 'Twin' } });
  const file = join(await newFolder(t), 'twin.json');
  await writeFile(file, JSON.stringify({ name: 'Twin', description: 'New' }));

  const ambiguous = await runward(['templates', 'apply', file, '--yes']);
  t.is(ambiguous.code, 2);
  t.true(ambiguous.stderr.includes(one.id));
  t.deepEqual(summaryOf(await data(['templates', 'apply', file, '--yes', '--id', one.id])), [
    'CHANGED TEMPLATE Twin description',
  ]);
  t.is((await runward(['templates', 'get', 'Twin'])).code, 2);

  await org.api
    .call('templates', 'create', { body: { name: 'Old' } })
    .then(({ body }) => org.api.call('templates', 'archive', { params: { id: body.id } }));
  const archived = await runward(['templates', 'apply', '-', '--yes'], { input: '{"name":"Old"}' });
  t.is(archived.code, 6);
  t.regex(archived.stderr, /is archived/);
});

test('templates publish creates a version; an incomplete draft is rejected', async (t) => {
  const { org, data, runward } = await newWorkplace();
  await org.api.call('templates', 'create', { body: { name: 'Empty' } });
  const rejected = await runward(['templates', 'publish', 'Empty']);
  t.is(rejected.code, 6);
  t.regex(rejected.stderr, /at least one/);

  await runward(['templates', 'apply', '-', '--yes'], {
    input: JSON.stringify({ name: 'Empty', tasks: [{ title: 'A' }] }),
  });
  t.like(await data(['templates', 'publish', 'Empty', '--note', 'Begin']), { number: 1, note: 'Begin' });
  const table = await runward(['templates', 'get', 'Empty', '-o', 'table']);
  t.regex(table.stdout, /^status +PUBLISHED$/m);
  t.regex(table.stdout, /^[0-9a-f-]{36} +A +true$/m);
});

test('the example template of the repository can be applied and published', async (t) => {
  const { data } = await newWorkplace();
  const path = new URL('../../../../examples/templates/employee-onboarding.json', import.meta.url);
  const input = await readFile(path, 'utf8');
  const { version } = await data<Applied>(['templates', 'apply', '-', '--publish', '--yes'], { input });
  t.is(version?.number, 1);
  t.deepEqual((await data<Applied>(['templates', 'apply', '-', '--publish', '--yes'], { input })).changes, []);
});
