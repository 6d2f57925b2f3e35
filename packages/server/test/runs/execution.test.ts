import { randomUUID } from 'node:crypto';
import { fold, type Fact } from '@runward/engine';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function form(org: TestOrganization) {
  const process = await publishProcess(org.api, [
    {
      title: 'Form',
      fields: [
        { label: 'Name', type: 'TEXT', required: true },
        { label: 'Start', type: 'DATE', required: true },
        {
          label: 'Size',
          type: 'DROPDOWN',
          options: [
            { key: 's', label: 'S' },
            { key: 'm', label: 'M' },
          ],
        },
        { label: 'Buddy', type: 'USER' },
        { label: 'Badge', type: 'FILE_UPLOAD' },
      ],
    },
    { title: 'Rounds', repeatable: true, required: false },
    { title: 'Last' },
  ]);
  const run = await launchRun(org.api, process.templateId);
  const field = (key: string) => process.fields[key]?.id ?? '';
  const open = (title = 'Form') =>
    org.api.call('execution', 'open', { body: { runTaskId: run.byTitle(title).runTaskId } });
  return { ...process, run, field, open };
}

test('open, submit, complete: the flow of the specification', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const { run, field, open } = await form(org);

  const { status, body: entry } = await open();
  t.is(status, 201);
  t.like(entry, { runTaskId: run.byTitle('Form').runTaskId, createdByUserId: ownerUserId, fieldValues: [] });

  const one = await api.call('execution', 'submit', {
    body: { executionEntryId: entry.id, runTaskFieldId: field('name'), value: 'Ada' },
  });
  t.is(one.status, 201);
  t.deepEqual(one.body, { autoFilledFields: [] });
  const complete = { body: { executionEntryId: entry.id } };
  const early = await api.call('execution', 'complete', complete);
  t.is(early.status, 400);
  t.is(early.error.code, 'required_fields_missing');
  t.is(early.error.message, 'Required fields have no value: "Start"; submit their values first.');

  const batch = await api.call('execution', 'submitBatch', {
    body: {
      executionEntryId: entry.id,
      values: [
        { runTaskFieldId: field('start'), value: '2030-01-01' },
        { runTaskFieldId: field('size'), value: 'm' },
        { runTaskFieldId: field('buddy'), value: ownerUserId },
      ],
    },
  });
  t.is(batch.status, 201);
  const done = await api.call('execution', 'complete', complete);
  t.is(done.status, 204);
  t.is(done.body, undefined);
  t.is((await getRun(api, run.id)).byTitle('Form').status, 'COMPLETED');

  const { data } = await must(
    api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Form').runTaskId } }),
  );
  t.is(data[0]?.status, 'COMPLETED');
  t.deepEqual(
    data[0]?.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]),
    [
      [field('name'), 'Ada'],
      [field('start'), '2030-01-01'],
      [field('size'), 'm'],
      [field('buddy'), ownerUserId],
    ],
  );
});

test('values that do not fit are rejected with the field and the remedy, and a batch is all or nothing', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run, field, open } = await form(org);
  const { body: entry } = await open();
  const rejected = [
    [field('name'), 5, /^value: "Name" must be a string/],
    [field('start'), '2030-02-30', /"Start" must be a date/],
    [field('size'), 'xl', /"Size" must be one of the option keys: s, m/],
    [field('buddy'), randomUUID(), /"Buddy" must be an active member/],
    [field('badge'), randomUUID(), /^value: "Badge" must only contain files that are attached to it/],
    [field('badge'), 'x', /^value: "Badge" must be the id of a file/],
    [randomUUID(), 'x', /^runTaskFieldId: the task "Form" has no field/],
    [field('name'), { a: 1 }, /^value: must be/],
    [field('name'), 'a\0b', /NUL/],
    [field('name'), '\ud800', /surrogates/],
  ] as const;
  for (const [runTaskFieldId, value, message] of rejected) {
    const body = { executionEntryId: entry.id, runTaskFieldId, value };
    const answer = await api.raw('POST', '/execution/field-values', { body });
    t.is(answer.status, 400, String(message));
    t.true(Array.isArray(answer.error.message), String(message));
    t.is(answer.error.message.length, 1);
    t.regex(answer.error.message[0] ?? '', message);
  }
  const values = [
    { runTaskFieldId: field('name'), value: 'Ada' },
    { runTaskFieldId: field('start'), value: 'never' },
  ];
  t.is((await api.call('execution', 'submitBatch', { body: { executionEntryId: entry.id, values } })).status, 400);
  const { data } = await must(
    api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Form').runTaskId } }),
  );
  t.deepEqual(data[0]?.fieldValues, []);
});

test('a batch reports every invalid value with its path', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { field, open } = await form(org);
  const { body: entry } = await open();
  const unknown = randomUUID();
  const values = [
    { runTaskFieldId: field('name'), value: 'Ada' },
    { runTaskFieldId: field('start'), value: 'never' },
    { runTaskFieldId: unknown, value: 'x' },
    { runTaskFieldId: field('buddy'), value: randomUUID() },
    { runTaskFieldId: field('badge'), value: randomUUID() },
    { runTaskFieldId: field('size'), value: 'xl' },
  ];
  const { status, error } = await api.call('execution', 'submitBatch', {
    body: { executionEntryId: entry.id, values },
  });
  t.is(status, 400);
  t.deepEqual(error.message, [
    'values[1].value: "Start" must be a date between the years 1900 and 2999, like "2026-03-01"',
    `values[2].runTaskFieldId: the task "Form" has no field ${unknown}; use the id of a published field of its template`,
    'values[3].value: "Buddy" must be an active member of this organization; see GET /users',
    'values[4].value: "Badge" must only contain files that are attached to it in this entry; upload others to attach them',
    'values[5].value: "Size" must be one of the option keys: s, m',
  ]);
});

test('one open entry per task, several of a repeatable one', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run, open } = await form(org);
  const { body: entry } = await open();
  const second = await open();
  t.is(second.status, 400);
  t.true(String(second.error.message).includes(entry.id));

  const rounds = [await must(open('Rounds')), await must(open('Rounds'))];
  const finish = (id: string) => must(api.call('execution', 'complete', { body: { executionEntryId: id } }));
  await finish(rounds[0]?.id ?? '');
  t.is((await getRun(api, run.id)).byTitle('Rounds').status, 'PENDING');
  await finish(rounds[1]?.id ?? '');
  t.is((await getRun(api, run.id)).byTitle('Rounds').status, 'COMPLETED');
  const { data } = await must(
    api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Rounds').runTaskId } }),
  );
  t.deepEqual(
    data.map(({ id }) => id),
    [rounds[1]?.id, rounds[0]?.id],
  );
});

test('twenty parallel completions under one key complete once; the key holds for the life of the entry', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run, open } = await form(org);
  const { body: entry } = await open('Rounds');
  const body = { executionEntryId: entry.id, idempotencyKey: randomUUID() };

  const answers = await Promise.all(Array.from({ length: 20 }, () => api.call('execution', 'complete', { body })));
  t.true(answers.every((answer) => answer.status === 204));
  const count = async () => {
    const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
    return data.filter(({ type }) => type === 'entry.completed').length;
  };
  t.is(await count(), 1);

  await must(api.call('execution', 'reopen', { body: { executionEntryId: entry.id } }));
  t.is((await api.call('execution', 'complete', { body })).status, 204);
  t.is((await getRun(api, run.id)).byTitle('Rounds').status, 'PENDING');
  t.is(await count(), 1);

  const elsewhere = await form(org);
  const foreign = await must(elsewhere.open('Rounds'));
  const used = await api.call('execution', 'complete', { body: { ...body, executionEntryId: foreign.id } });
  t.is(used.status, 400);
  t.regex(String(used.error.message), /^idempotencyKey: already used/);
});

test('completing the last required task completes the run, and the key still replays', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run, open } = await form(org);
  const taskId = run.byTitle('Form').runTaskId;
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  const { body: entry } = await open('Last');
  const body = { executionEntryId: entry.id, idempotencyKey: randomUUID() };
  t.is((await api.call('execution', 'complete', { body })).status, 204);
  t.is((await getRun(api, run.id)).status, 'COMPLETED');
  t.is((await api.call('execution', 'complete', { body })).status, 204);
  const fresh = await api.call('execution', 'complete', { body: { ...body, idempotencyKey: randomUUID() } });
  t.is(fresh.status, 400);
  t.is((await open('Rounds')).status, 400);
});

test('a value names its field as it was in the version of the run, also after the template was changed and deleted', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId, taskIds, run, field, open } = await form(org);
  const { id: executionEntryId } = await must(open());
  const submitted = { runTaskFieldId: field('start'), value: '2030-01-01' };
  await must(api.call('execution', 'submit', { body: { executionEntryId, ...submitted } }));
  const values = async () => {
    const params = { runTaskId: run.byTitle('Form').runTaskId };
    const { data } = await must(api.call('execution', 'entries', { params }));
    return data[0]?.fieldValues.map(({ runTaskFieldId, key, label, type }) => ({ runTaskFieldId, key, label, type }));
  };
  const expected = [{ runTaskFieldId: field('start'), key: 'start', label: 'Start', type: 'DATE' as const }];
  t.deepEqual(await values(), expected);

  const path = { id: templateId, taskId: taskIds['Form'] ?? '' };
  const renamed = { label: 'Since', key: 'since', type: 'TEXT' as const };
  await must(api.call('templates.fields', 'update', { params: { ...path, fieldId: field('start') }, body: renamed }));
  await must(api.call('templates.fields', 'delete', { params: { ...path, fieldId: field('name') } }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  t.deepEqual(await values(), expected);

  await must(api.call('runs', 'cancel', { params: { id: run.id } }));
  await must(api.call('templates', 'delete', { params: { id: templateId } }));
  t.deepEqual(await values(), expected);
  const versions = await app.provision.query('select id from template_versions where template_id = $1', [templateId]);
  t.is(versions.length, 2);
});

test('a reopened entry takes values again and keeps every write of them', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const { run, field, open } = await form(org);
  const { body: entry } = await open();
  const submit = (value: string | null, key = 'name') =>
    must(
      api.call('execution', 'submit', {
        body: { executionEntryId: entry.id, runTaskFieldId: field(key), value },
      }),
    );
  await submit('2030-01-01', 'start');
  await submit('Ada');
  await must(api.call('execution', 'complete', { body: { executionEntryId: entry.id } }));
  const closed = await api.call('execution', 'submit', {
    body: { executionEntryId: entry.id, runTaskFieldId: field('name'), value: 'Bo' },
  });
  t.is(closed.status, 400);

  t.is((await api.call('execution', 'reopen', { body: { executionEntryId: entry.id } })).status, 204);
  t.is((await getRun(api, run.id)).byTitle('Form').status, 'PENDING');
  t.is((await api.call('execution', 'reopen', { body: { executionEntryId: entry.id } })).status, 400);
  await submit(null);
  await submit('Cy');

  const { data } = await must(
    api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Form').runTaskId } }),
  );
  const [value] = data[0]?.fieldValues ?? [];
  const params = { fieldValueId: value?.id ?? '' };
  const history = await must(api.call('execution', 'valueHistory', { params }));
  t.deepEqual(
    history.data.map((revision) => [revision.value, revision.submittedByUserId]),
    [
      ['Cy', ownerUserId],
      [null, ownerUserId],
      ['Ada', ownerUserId],
    ],
  );
  t.is(history.total, 3);
});

test('a discarded entry returns 404 and is absent from lists; its activity and the history of its values stay', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const { run, field, open } = await form(org);
  const rounds = await must(open('Rounds'));
  await must(api.call('execution', 'complete', { body: { executionEntryId: rounds.id } }));
  const mistake = await must(open('Rounds'));
  t.is((await getRun(api, run.id)).byTitle('Rounds').status, 'PENDING');
  t.is((await api.call('execution', 'discard', { params: { id: mistake.id } })).status, 204);
  t.like((await getRun(api, run.id)).byTitle('Rounds'), { status: 'COMPLETED', completedByUserId: ownerUserId });

  const entry = await must(open());
  const submitted = { executionEntryId: entry.id, runTaskFieldId: field('name'), value: 'Ada' };
  await must(api.call('execution', 'submit', { body: submitted }));
  const read = await must(api.call('execution', 'get', { params: { id: entry.id } }));
  t.like(read, { id: entry.id, status: 'OPEN', fieldValues: [{ label: 'Name', value: 'Ada' }] });
  t.is((await api.call('execution', 'discard', { params: { id: entry.id } })).status, 204);

  const answers = [
    await api.call('execution', 'get', { params: { id: entry.id } }),
    await api.call('execution', 'discard', { params: { id: entry.id } }),
    await api.call('execution', 'submit', { body: submitted }),
  ];
  t.deepEqual(
    answers.map(({ status, error }) => [status, error.message]),
    answers.map(() => [404, 'Entry not found.']),
  );
  const params = { runTaskId: run.byTitle('Form').runTaskId };
  t.deepEqual((await must(api.call('execution', 'entries', { params }))).data, []);
  const history = { fieldValueId: read.fieldValues[0]?.id ?? '' };
  t.is((await must(api.call('execution', 'valueHistory', { params: history }))).total, 1);
  const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
  t.like(data[0], { type: 'entry.discarded', runTaskId: params.runTaskId, data: { entryId: entry.id } });
  const stored = await app.provision.storedRun(org.organizationId, run.id);
  const facts = data.toReversed().map((line) => Object.assign({ type: line.type, at: line.at }, line.data) as Fact);
  t.deepEqual(stored && fold(() => stored.state.document, facts), stored?.state);

  t.is((await must(open())).runTaskId, params.runTaskId);
  const completed = await api.call('execution', 'discard', { params: { id: rounds.id } });
  t.is(completed.status, 400);
  t.is(completed.error.message, `The entry ${rounds.id} is completed; reopen it first.`);
});

test('entries and values of another organization are not there', async (t) => {
  const org = await newOrganization(app);
  const { api } = await newOrganization(app);
  const { run, field, open } = await form(org);
  const { body: entry } = await open();
  const runTaskId = run.byTitle('Form').runTaskId;
  const executionEntryId = entry.id;
  const submitted = { runTaskFieldId: field('name'), value: 'x' };
  await must(org.api.call('execution', 'submit', { body: { executionEntryId, ...submitted } }));
  const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId } }));
  const fieldValueId = data[0]?.fieldValues[0]?.id ?? '';

  const answers = [
    await api.call('execution', 'open', { body: { runTaskId } }),
    await api.call('execution', 'submit', { body: { executionEntryId, ...submitted } }),
    await api.call('execution', 'submitBatch', { body: { executionEntryId, values: [submitted] } }),
    await api.call('execution', 'complete', { body: { executionEntryId } }),
    await api.call('execution', 'reopen', { body: { executionEntryId } }),
    await api.call('execution', 'get', { params: { id: entry.id } }),
    await api.call('execution', 'discard', { params: { id: entry.id } }),
    await api.call('execution', 'entries', { params: { runTaskId } }),
    await api.call('execution', 'valueHistory', { params: { fieldValueId } }),
  ];
  t.deepEqual(
    answers.map(({ status, error }) => [status, error.message]),
    ['Task', ...Array.from({ length: 6 }, () => 'Entry'), 'Task', 'Field value'].map((kind) => [
      404,
      `${kind} not found.`,
    ]),
  );
});
