import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract, FieldValue } from '@runward/contract';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource } from '../../support/data-sources.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { directUpload } from '../../support/files.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useSharedApp(test);

type Form = BodyInput<Contract['execution']['submitForm']>;

/**
 * Runs of a template with an order whose supplier fills in the street, whose country shows the customs number and the
 * task "Customs", and hides the discount; two tasks that depend on it, of which one needs an approval; and a repeatable
 * task.
 */
async function orders(org: TestOrganization) {
  const { api } = org;
  const source = await newSource(api, ['Name', 'Street']);
  const [acme = ''] = await source.addRows({ Name: 'Acme', Street: '1 Main Street' });
  const autoFill = [{ columnId: source.column('Street'), fieldId: 'new:street' }];
  const dataSource = { dataSourceId: source.id, labelColumnId: source.column('Name'), autoFill };
  const isAbroad = {
    source: { type: 'FIELD' as const, fieldId: 'new:country' },
    operator: 'EQUALS' as const,
    value: 'CH',
  };
  const templateId = await publishDraft(api, [
    {
      id: 'new:order',
      title: 'Order',
      fields: [
        { id: 'new:supplier', label: 'Supplier', type: 'DATA_SOURCE', required: true, dataSource },
        { id: 'new:street', label: 'Street', type: 'TEXT', required: true },
        { id: 'new:country', label: 'Country', type: 'TEXT' },
        { id: 'new:customs', label: 'Customs', type: 'NUMBER', required: true },
        { id: 'new:discount', label: 'Discount', type: 'NUMBER' },
        { id: 'new:buyer', label: 'Buyer', type: 'USER' },
        { id: 'new:papers', label: 'Papers', type: 'FILE_UPLOAD' },
      ],
      rules: [
        {
          conditions: [isAbroad],
          actions: [
            { type: 'SHOW', fieldIds: ['new:customs'], taskIds: ['new:clear'] },
            { type: 'HIDE', fieldIds: ['new:discount'] },
          ],
        },
      ],
    },
    { id: 'new:clear', title: 'Clear' },
    { title: 'Send', dependencies: ['new:order'] },
    {
      title: 'Pay',
      required: false,
      approval: {},
      dependencies: ['new:order'],
      fields: [{ label: 'Amount', type: 'NUMBER', required: true }],
    },
    { title: 'Notes', required: false, repeatable: true, fields: [{ label: 'Note', type: 'TEXT', required: true }] },
  ]);
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const fieldId = (key: string) => data.find((field) => field.key === key)?.runTaskFieldId ?? key;
  const valuesOf = (values: Readonly<Record<string, FieldValue>>) =>
    Object.entries(values).map(([key, value]) => ({ runTaskFieldId: fieldId(key), value }));
  const launch = async () => {
    const run = await launchRun(api, templateId);
    const task = (title: string) => run.byTitle(title).runTaskId;
    const submit = (form: string | Partial<Form>, values: Readonly<Record<string, FieldValue>> = {}) => {
      const rest = typeof form === 'string' ? { runTaskId: task(form) } : form;
      return api.call('execution', 'submitForm', { body: { ...rest, values: valuesOf(values) } });
    };
    const open = async (title: string) =>
      (await must(api.call('execution', 'open', { body: { runTaskId: task(title) } }))).id;
    const entries = async (title: string) =>
      (await must(api.call('execution', 'entries', { params: { runTaskId: task(title) } }))).data;
    const activity = async () => (await must(api.call('runs', 'activity', { params: { id: run.id } }))).data;
    const read = () => getRun(api, run.id);
    return { id: run.id, task, submit, open, entries, activity, read };
  };
  return { templateId, acme, fieldId, valuesOf, launch };
}

/** What a run is, without times, hashes, and ids of its own, which are numbered in the order in which they occur. */
function comparable(...parts: unknown[]): unknown {
  const ids = new Map<string, number>();
  const own = new Set(['hash', 'previousHash', 'activityHash', 'publicId', 'runPublicId', 'deliveryId']);
  const text = JSON.stringify(parts, (key, value: unknown) => {
    if (own.has(key) || typeof value !== 'string') return own.has(key) ? null : value;
    if (/^\d{4}-.*Z$/.test(value)) return 'time';
    if (!/^[0-9a-f]{8}-/.test(value)) return value;
    ids.set(value, ids.get(value) ?? ids.size);
    return `id ${ids.get(value)}`;
  });
  return JSON.parse(text);
}

test('a form in one call has the state, the activity and the events of its single calls', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { acme, fieldId, valuesOf, launch } = await orders(org);
  const values = { supplier: acme, country: 'CH', customs: 7, buyer: org.ownerUserId };
  const [one, other] = [await launch(), await launch()];
  const eventsOf = async (runId: string) =>
    (await must(api.call('events', 'list'))).data.filter(({ data }) => data.runId === runId);

  // The single calls show the field before they submit it.
  const { customs, ...first } = values;
  const executionEntryId = await other.open('Order');
  const stepByStep = [
    await must(api.call('execution', 'submitBatch', { body: { executionEntryId, values: valuesOf(first) } })),
    await must(api.call('execution', 'submitBatch', { body: { executionEntryId, values: valuesOf({ customs }) } })),
  ];
  await must(api.call('execution', 'complete', { body: { executionEntryId } }));

  await must(one.submit({ runTaskId: one.task('Order'), complete: false }, first));
  const { status, body } = await one.submit('Order', { customs });
  t.is(status, 200);
  t.deepEqual([body.taskStatus, body.autoFilledFields], ['COMPLETED', []]);
  t.deepEqual([body.entry], await one.entries('Order'));
  t.is(stepByStep[0]?.autoFilledFields[0]?.runTaskFieldId, fieldId('street'));

  for (const run of [one, other]) await must(run.submit('Clear'));
  const all = async (run: typeof one) =>
    comparable(await run.read(), await run.entries('Order'), await run.activity(), await eventsOf(run.id));
  const expected = await all(other);
  t.deepEqual(await all(one), expected);
  await must(one.submit('Send'));
  t.is((await one.read()).status, 'COMPLETED');
});

test('a form returns the fields that a row has filled, and again when it is repeated with its key', async (t) => {
  const org = await newOrganization(app);
  const { acme, fieldId, launch } = await orders(org);
  const run = await launch();
  const form = { runTaskId: run.task('Order'), idempotencyKey: randomUUID() };
  const answers = await Promise.all(Array.from({ length: 20 }, () => run.submit(form, { supplier: acme })));
  const [first] = answers;
  t.like(first, { status: 200, body: { taskStatus: 'COMPLETED', entry: { status: 'COMPLETED' } } });
  t.deepEqual(
    first?.body.autoFilledFields.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]),
    [[fieldId('street'), '1 Main Street']],
  );
  for (const { status, body } of answers) t.deepEqual([status, body], [200, first?.body]);
  const executionEntryId = first?.body.entry.id ?? '';
  const byEntry = { executionEntryId, idempotencyKey: form.idempotencyKey };
  t.deepEqual((await run.submit(byEntry, { street: 'Elsewhere' })).body, first?.body);
  const types = (await run.activity()).map(({ type }) => type);
  for (const type of ['entry.opened', 'entry.completed']) t.is(types.filter((each) => each === type).length, 1);

  await must(org.api.call('execution', 'reopen', { body: { executionEntryId } }));
  t.like((await run.submit(form)).body, { taskStatus: 'PENDING', entry: { id: executionEntryId, status: 'OPEN' } });
  const used = 'idempotencyKey: already used to complete another entry; send a new UUID';
  await isRejected(t, run.submit({ ...form, runTaskId: run.task('Notes') }, { note: 'x' }), 400, used);
  const elsewhere = await launch();
  await isRejected(t, elsewhere.submit({ ...form, runTaskId: elsewhere.task('Notes') }, { note: 'x' }), 400, used);
  t.deepEqual([await run.entries('Notes'), await elsewhere.entries('Notes')], [[], []]);
});

test('the open entry of a task is used, another of a repeatable task is opened, and complete: false leaves it open', async (t) => {
  const org = await newOrganization(app);
  const { acme, fieldId, launch } = await orders(org);
  const run = await launch();
  const draft = { runTaskId: run.task('Order'), complete: false };
  const opened = await must(run.submit(draft));
  t.like(opened, { taskStatus: 'PENDING', entry: { status: 'OPEN', fieldValues: [] } });
  const { id: entryId } = opened.entry;
  const uploaded = directUpload(org.api, { entryId, fieldId: fieldId('papers') }, 'text');
  const papers = [(await must(uploaded)).id];
  t.is((await must(run.submit(draft, { papers, supplier: acme }))).entry.id, entryId);
  t.like(await must(run.submit('Order')), { taskStatus: 'COMPLETED', entry: { id: entryId } });
  t.is((await run.entries('Order')).length, 1);

  const note = { runTaskId: run.task('Notes'), complete: false };
  const notes = [await must(run.submit(note, { note: 'one' })), await must(run.submit('Notes', { note: 'two' }))];
  t.deepEqual(
    notes.map(({ taskStatus, entry }) => [taskStatus, entry.status]),
    [
      ['PENDING', 'OPEN'],
      ['PENDING', 'COMPLETED'],
    ],
  );
  t.is((await must(run.submit({ executionEntryId: notes[0]?.entry.id ?? '' }))).taskStatus, 'COMPLETED');
  t.is((await run.entries('Notes')).length, 2);
});

test('a task that needs an approval is submitted first and completed once it is granted', async (t) => {
  const org = await newOrganization(app);
  const { acme, launch } = await orders(org);
  const run = await launch();
  await must(run.submit('Order', { supplier: acme }));
  const at = { runTaskId: run.task('Pay') };
  const before = await run.activity();
  await isRejected(
    t,
    run.submit(at, { amount: 5 }),
    400,
    'The task "Pay" is waiting for its approval; have it approved or rejected first. Nothing was changed; with complete: false, the values ' +
      'are submitted and the approval is requested.',
  );
  t.deepEqual(await run.activity(), before);
  t.is((await must(run.submit({ ...at, complete: false }, { amount: 5 }))).taskStatus, 'PENDING_APPROVAL');
  const grace = await addMember(app.baseUrl, await org.session());
  await must(grace.session.call('runs.tasks', 'approve', { params: { taskId: at.runTaskId }, body: {} }));
  t.is((await must(run.submit(at))).taskStatus, 'COMPLETED');
});

test('a form that one of its single calls would reject is rejected like it, and changes nothing', async (t) => {
  const org = await newOrganization(app);
  const { acme, fieldId, launch } = await orders(org);
  const run = await launch();
  const other = await publishProcess(org.api);
  const before = await run.activity();
  const blocked = (title: string) => new RegExp(`The task "${title}" is blocked`);
  const rejected: [Promise<Awaited<ReturnType<typeof run.submit>>>, RegExp | string[]][] = [
    [run.submit('Order'), /^Required fields have no value: "Supplier", "Street"; submit their values first\.$/],
    [run.submit('Send'), blocked('Send')],
    [run.submit('Clear'), /^The task "Clear" is hidden/],
    [run.submit('Order', { supplier: acme, country: 'CH' }), /^Required fields have no value: "Customs"/],
    [
      run.submit('Order', {
        supplier: randomUUID(),
        street: 5,
        customs: 7,
        buyer: randomUUID(),
        papers: [randomUUID()],
      }),
      [
        'values[0].value: "Supplier" must be an active row of its data source; see GET /data-sources/:id/lookup',
        'values[1].value: "Street" must be a string',
        'values[2].value: "Customs" is hidden by a rule; leave it out, or change the values that the rule depends on first',
        'values[3].value: "Buyer" must be an active member of this organization; see GET /users',
        'values[4].value: "Papers" must only contain files that are attached to it in this entry; upload others to attach them',
      ],
    ],
    [run.submit({}), ['body: must contain exactly one of runTaskId and executionEntryId']],
    [
      run.submit({ runTaskId: run.task('Order'), executionEntryId: randomUUID() }),
      ['body: must contain exactly one of runTaskId and executionEntryId'],
    ],
    [
      run.submit({ runTaskId: run.task('Order'), complete: false, idempotencyKey: randomUUID() }),
      ['idempotencyKey: must not be sent with complete: false; use the header Idempotency-Key instead'],
    ],
    [
      org.api.call('execution', 'submitForm', {
        body: {
          runTaskId: run.task('Notes'),
          values: [1, 2].map((value) => ({ runTaskFieldId: fieldId('note'), value })),
        },
      }),
      ['values: must not contain a runTaskFieldId twice'],
    ],
  ];
  for (const [answer, message] of rejected) {
    const { status, error } = await answer;
    t.is(status, 400);
    if (message instanceof RegExp) t.regex(String(error.message), message);
    else t.deepEqual(error.message, message);
  }
  t.deepEqual(await run.activity(), before);

  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  await isRejected(t, run.submit('Notes', { note: 'x' }), 400, 'The run is CANCELLED; reopen it first.');
  const scope = { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [other.templateId] } as const;
  const restricted = await org.key({ scopes: ['runs:write'], ...scope });
  const body = { runTaskId: run.task('Notes'), values: [] };
  t.is((await restricted.call('execution', 'submitForm', { body })).status, 403);
  const { api } = await newOrganization(app);
  for (const [kind, at] of Object.entries({
    Task: { runTaskId: run.task('Order') },
    Entry: { executionEntryId: randomUUID() },
  })) {
    await isRejected(
      t,
      api.call('execution', 'submitForm', { body: { ...at, values: [] } }),
      404,
      `${kind} not found.`,
    );
  }
});
