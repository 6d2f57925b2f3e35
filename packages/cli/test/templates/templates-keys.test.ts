import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, must } from '@runward/testing/process';
import test from 'ava';
import type { PlannedChange } from '../../src/template-file/plan.ts';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Part {
  readonly id: string;
  readonly key: string | null;
}

interface Draft {
  readonly phases: (Part & { readonly name: string })[];
  readonly tasks: (Part & { readonly title: string; readonly rules: Part[]; readonly fields: Part[] })[];
}

interface Applied {
  readonly templateId: string;
  readonly changes: PlannedChange[];
}

/** A template as someone writes it, without keys of tasks and rules. */
const supplier = {
  name: 'Supplier',
  phases: [{ key: 'check', name: 'Check' }],
  tasks: [
    {
      title: 'Collect documents',
      phase: 'check',
      fields: [{ key: 'passport', label: 'Passport', type: 'TEXT' }],
      rules: [
        {
          name: 'Skip the review',
          conditions: [{ field: 'passport', operator: 'EQUALS', value: 'none' }],
          actions: [{ type: 'HIDE', tasks: ['Review'] }],
        },
      ],
    },
    { title: 'Review', dependsOn: ['Collect documents'] },
  ],
};

/** An organization that has the template, with a draft as it was pulled. */
async function newSupplier(t: Parameters<typeof newFolder>[0]) {
  const workplace = await newWorkplace();
  const { data, runward } = workplace;
  const path = join(await newFolder(t), 'supplier.json');
  const { templateId } = await data<Applied>(['templates', 'apply', '-', '--yes', '--publish'], {
    input: JSON.stringify(supplier),
  });
  await runward(['templates', 'pull', 'Supplier', path]);
  const text = await readFile(path, 'utf8');
  const draft = () => data<Draft>(['templates', 'get', 'Supplier']);
  const renamed = (...names: [string, string][]) =>
    names.reduce((file, [from, to]) => file.replace(`"${from}"`, `"${to}"`), text);
  const save = (content: string) => writeFile(path, content);
  return { ...workplace, templateId, path, text, draft, renamed, save };
}

const idsOf = ({ phases, tasks }: Draft) => [
  ...phases.map(({ id }) => id),
  ...tasks.flatMap(({ id, rules, fields }) => [
    id,
    ...rules.map((rule) => rule.id),
    ...fields.map((field) => field.id),
  ]),
];

const names: [string, string][] = [
  ['Check', 'Verify'],
  ['Collect documents', 'Request documents'],
  ['Passport', 'Identity card'],
  ['Skip the review', 'No papers'],
];

test('a name that differs in a pulled file is a renaming in plan and diff, and the part and the values of runs stay', async (t) => {
  const { org, data, runward, templateId, path, draft, renamed, save, text } = await newSupplier(t);
  const { runId, runTaskIds } = await launchAndFill(org, templateId);
  const before = await draft();
  t.true(text.includes('"key": "collect-documents"') && text.includes('"key": "skip-the-review"'));

  await save(renamed(...names));
  const { stdout } = await runward(['templates', 'plan', path, '-o', 'table']);
  t.is(
    stdout,
    `~ phase Verify
    renamed "Check" to "Verify"
~ task Request documents
    renamed "Collect documents" to "Request documents"
~ field Request documents > Identity card
    renamed "Passport" to "Identity card"
~ rule Request documents > No papers
    renamed "Skip the review" to "No papers"

4 to change.
`,
  );
  await data(['templates', 'apply', path, '--yes', '--publish']);
  const after = await draft();
  t.deepEqual(idsOf(after), idsOf(before));
  t.is(after.tasks[0]?.key, 'collect-documents');
  t.is(await readPulled(), renamed(...names));

  const versions = await must(org.api.call('templates.versions', 'list', { params: { id: templateId } }));
  const diff = await must(
    org.api.call('templates.versions', 'diff', { params: { id: templateId, versionId: versions.data[0]?.id ?? '' } }),
  );
  t.deepEqual(
    diff.changes.map(({ kind, entity, before: was, after: is }) => [kind, entity, was, is]),
    [
      ['CHANGED', 'PHASE', { name: 'Check' }, { name: 'Verify' }],
      ['CHANGED', 'TASK', { title: 'Collect documents' }, { title: 'Request documents' }],
      ['CHANGED', 'FIELD', { label: 'Passport' }, { label: 'Identity card' }],
      ['CHANGED', 'RULE', { name: 'Skip the review' }, { name: 'No papers' }],
    ],
  );
  const report = await must(org.api.call('runs', 'migrateToLatest', { params: { id: runId } }));
  t.like(report.tasks, { added: [], removed: [], retired: [] });
  t.is(report.tasks.kept.length, 2);
  const [summary] = (await must(org.api.call('runs', 'summaries', { params: { id: runId } }))).data;
  t.like(summary, { runTaskId: runTaskIds[0], title: 'Request documents' });
  t.like(summary?.fields[0], { label: 'Identity card', value: 'C01X00T47' });

  async function readPulled() {
    await runward(['templates', 'pull', 'Supplier', path]);
    return readFile(path, 'utf8');
  }
});

test('a part keeps the key of its first name when it is renamed through the API', async (t) => {
  const { org, templateId, draft, data, path, text, runward } = await newSupplier(t);
  const [collect] = (await draft()).tasks;
  const params = { id: templateId, taskId: collect?.id ?? '' };
  await must(org.api.call('templates.tasks', 'update', { params, body: { title: 'Ask for documents' } }));
  t.is((await draft()).tasks[0]?.key, 'collect-documents');
  const { changes } = await data<Applied>(['templates', 'plan', path]);
  t.like(changes, [{ kind: 'CHANGED', id: collect?.id, after: { title: 'Collect documents' } }]);
  t.is(changes.length, 1);
  t.is(
    (await runward(['templates', 'pull', 'Supplier'])).stdout,
    text.replace('"Collect documents"', '"Ask for documents"'),
  );
});

test('a part without a key, or with an unknown one, is found by name, and a new key is a change', async (t) => {
  const { data, draft } = await newSupplier(t);
  const before = await draft();
  const [collect, review] = supplier.tasks;
  const input = JSON.stringify({ ...supplier, tasks: [{ ...collect, key: 'papers' }, review] });
  const { changes } = await data<Applied>(['templates', 'plan', '-'], { input });
  t.like(changes, [
    { kind: 'CHANGED', entity: 'TASK', before: { key: 'collect-documents' }, after: { key: 'papers' } },
  ]);
  t.is(changes.length, 1);
  await data(['templates', 'apply', '-', '--yes'], { input });
  t.deepEqual(idsOf(await draft()), idsOf(before));
  t.deepEqual((await data<Applied>(['templates', 'plan', '-'], { input: JSON.stringify(supplier) })).changes, []);
});

test('repeated keys in a file are rejected with the path of the part and what to do', async (t) => {
  const { runward } = await newWorkplace();
  const [collect, review] = supplier.tasks;
  const rules = collect?.rules?.map((rule) => ({ ...rule, key: 'skip' }));
  const tasks = [
    { ...collect, key: 'same', rules },
    { ...review, key: 'same', rules },
  ];
  const { code, stderr } = await runward(['templates', 'plan', '-'], {
    input: JSON.stringify({ ...supplier, phases: [...supplier.phases, ...supplier.phases], tasks }),
  });
  t.is(code, 6);
  for (const error of [
    'phases[1].key: phases[0] already has "check"; choose another',
    'tasks[1].key: tasks[0] already has "same"; choose another',
    'tasks[1].rules[0].key: tasks[0].rules[0] already has "skip"; choose another',
  ]) {
    t.true(stderr.includes(error), `${error} in ${stderr}`);
  }
});

type Org = Awaited<ReturnType<typeof newWorkplace>>['org'];

/** Launches a run and fills in its first form. */
async function launchAndFill({ api }: Org, templateId: string) {
  const { id: runId, tasks } = await launchRun(api, templateId);
  const [first] = tasks;
  const { id: executionEntryId } = await must(
    api.call('execution', 'open', { body: { runTaskId: first?.runTaskId ?? '' } }),
  );
  const [field] = (await must(api.call('templates', 'publishedFields', { params: { id: templateId } }))).data;
  const body = { executionEntryId, runTaskFieldId: field?.runTaskFieldId ?? '', value: 'C01X00T47' };
  await must(api.call('execution', 'submit', { body }));
  return { runId, runTaskIds: tasks.map(({ runTaskId }) => runTaskId) };
}
