import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { parseGroups } from '../src/index.ts';
import { connectHere } from './support/connect.ts';

const app = useSharedApp(test);

test('an approval is requested, rejected and granted by tools', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [
    { title: 'Pay', approval: { allowSelfApproval: true }, fields: [{ label: 'Sum', type: 'NUMBER', required: true }] },
    { title: 'File' },
  ]);
  const { publicId: run } = await launchRun(org.api, templateId);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  const task = { run, task: 'Pay' };
  t.regex(await mcp.text('read_form', task), /`complete: false` requests it/);
  t.regex(await mcp.failure('submit_form', { ...task, values: { sum: 5 } }), /complete: false/);
  t.regex(
    await mcp.text('submit_form', { ...task, values: { sum: 5 }, complete: false }),
    /waits for its approval now/,
  );
  t.regex(await mcp.failure('decide_approval', { ...task, decision: 'REJECT' }), /^comment: is required/);
  t.regex(await mcp.text('decide_approval', { ...task, decision: 'REJECT', comment: 'Too much' }), /^Rejected "Pay"/);
  t.regex(await mcp.text('read_form', task), /comments: Too much/);
  await mcp.text('submit_form', { ...task, values: { sum: 4 }, complete: false });
  t.regex(
    await mcp.text('decide_approval', { ...task, decision: 'APPROVE' }),
    /^Approved "Pay".*Complete it with submit_form/,
  );
  t.regex(await mcp.text('submit_form', task), /^Completed "Pay"/);
});

test('a model comments on a run and its task, mentions people by name, and lists what was said', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Pay' }]);
  const { id, publicId: run } = await launchRun(org.api, templateId);
  const { id: grace } = await org.member('Grace Hopper');
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  t.regex(await mcp.text('add_comment', { run, text: 'Who decides?', members: ['Grace Hopper'] }), /^Commented on /);
  t.regex(await mcp.text('add_comment', { run, task: 'Pay', text: 'Twice?' }), /^Commented on "Pay" of /);
  t.regex(await mcp.failure('add_comment', { run, text: 'Hm', members: ['Nobody'] }), /No active member/);
  t.regex(await mcp.text('list_comments', { run }), /2 comments[^]*Twice\?[^]*Who decides\?/);
  const { data } = await must(org.api.call('runs.comments', 'list', { params: { id } }));
  t.deepEqual(data[0]?.mentions.userIds, [grace]);
});

test('a model lists what the member of its key has to do, and why', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(
    org.api,
    [
      { title: 'Own', assigneeId: org.ownerUserId, due: { from: 'LAUNCH', offset: 'P90D' } },
      {
        title: 'Pay',
        approval: { allowSelfApproval: true },
        fields: [{ label: 'Sum', type: 'NUMBER', required: true }],
      },
      { title: 'Nobody' },
    ],
    { name: 'Payment' },
  );
  const { publicId: run } = await launchRun(org.api, templateId, { title: 'Rent' });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  await mcp.text('submit_form', { run, task: 'Pay', values: { sum: 5 }, complete: false });

  const text = await mcp.text('list_my_tasks', { template: 'payment' });
  t.regex(text, /^2 tasks\./);
  t.regex(text, /title: Own; status: PENDING; run: RUN-\S+ Rent; due: LATER; deadlineAt: \S+; reasons: ASSIGNED/);
  t.regex(text, /title: Pay; status: PENDING_APPROVAL; run: RUN-\S+ Rent; due: NONE;.* reasons: APPROVAL/);
  t.regex(await mcp.text('list_my_tasks', { due: 'NONE' }), /^1 task\./);
});

test('launch_run and submit_form do their work once if a call is repeated with its idempotency key', async (t) => {
  const org = await newOrganization(app);
  const fields = [{ label: 'Amount', type: 'NUMBER' as const }];
  const { templateId } = await publishProcess(org.api, [{ title: 'Order', fields, repeatable: true }], {
    name: 'Once',
  });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  const call = { template: templateId, title: 'Laptops', idempotencyKey: randomUUID() };
  const [first, again] = [await mcp.text('launch_run', call), await mcp.text('launch_run', call)];
  t.is(again, first);
  const { data } = await must(org.api.call('runs', 'list', { query: {} }));
  t.is(data.length, 1);

  const form = { run: data[0]?.publicId, task: 'Order', values: { amount: 5 }, idempotencyKey: randomUUID() };
  await mcp.text('submit_form', form);
  await mcp.text('submit_form', form);
  const run = await must(
    org.api.call('runs', 'get', { params: { id: data[0]?.id ?? '' }, query: { include: 'fieldValues' } }),
  );
  t.is(run.tasks[0]?.entries?.length, 1);
  t.regex(await mcp.failure('launch_run', { ...call, title: 'Other' }), /idempotency_key_reused/);
});

test('find_runs finds runs by what was filled in', async (t) => {
  const org = await newOrganization(app);
  const field = { label: 'Amount', type: 'NUMBER' as const, searchable: true };
  const { templateId } = await publishProcess(org.api, [{ title: 'Order', fields: [field] }], { name: 'Purchase' });
  const { publicId: run } = await launchRun(org.api, templateId, { title: 'Laptops' });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  await mcp.text('submit_form', { run, task: 'Order', values: { amount: 12_000 }, complete: false });
  t.regex(await mcp.text('find_runs', { values: ['Amount>10000'] }), /Laptops/);
  t.is(await mcp.text('find_runs', { values: ['Amount<10000'] }), 'No run fits.');
  t.regex(await mcp.failure('find_runs', { values: ['Sum>1'] }), /The searchable fields are: "Amount"/);
});

test('an invalid call is rejected with the problem and what to do', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { templateId } = await publishProcess(other.api, [{ title: 'Secret' }], { name: 'Foreign' });
  const foreign = await launchRun(other.api, templateId);
  await publishProcess(org.api, [{ title: 'Only' }], { name: 'Onboarding' });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  t.is(await mcp.failure('get_run', {}), 'run: is required');
  t.is(await mcp.failure('get_run', { run: 'x', colour: 'red' }), 'colour: unknown argument; use run');
  t.is(await mcp.failure('find_runs', { title: 'a\0' }), 'title: must not contain line breaks or control characters');
  t.regex(await mcp.failure('find_runs', { statuses: ['DONE'] }), /^statuses\[0\]: must be one of RUNNING, OVERDUE/);
  t.regex(
    await mcp.failure('describe_template', { template: 'Onboard' }),
    /^No template is named "Onboard"\. Did you mean "Onboarding"\?$/,
  );
  t.regex(await mcp.failure('read_form', { task: 'Only' }), /^run: is required/);
  t.regex(await mcp.failure('get_run', { run: foreign.id }), /find_runs/);
  t.regex(await mcp.failure('get_run', { run: foreign.publicId }), /No run has the ID RUN-/);
  t.regex(
    await mcp.failure('describe_template', { template: 'Foreign' }),
    /^No template is named "Foreign"\. List the templates with find_templates\.$/,
  );
  t.regex(await mcp.failure('describe_template', { template: templateId }), /find_templates/);
  t.regex(await mcp.failure('launch_run', { template: templateId }), /find_templates/);
  t.regex(await mcp.failure('submit_form', { task: foreign.byTitle('Secret').runTaskId }), /list_tasks/);
  await t.throwsAsync(mcp.client.callTool({ name: 'drop_database', arguments: {} }), {
    message: /Unknown tool "drop_database"/,
  });
});

test('a model learns which variables a launch needs, and which of them it has left out', async (t) => {
  const org = await newOrganization(app);
  await publishProcess(org.api, [{ title: 'A' }], { name: 'Hire' }, [
    { key: 'region', required: true },
    { key: 'speed', defaultValue: 'fast', required: true },
    { key: 'note' },
  ]);
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  const text = await mcp.text('describe_template', { template: 'Hire' });
  t.regex(text, /A launch needs values for region\./);
  t.regex(text, /- key: region; type: TEXT; required: true\n- key: speed;.* required: true\n- key: note; type: TEXT\n/);
  t.regex(
    await mcp.failure('launch_run', { template: 'Hire', variables: { note: 'x' } }),
    /^variables\.region: the template requires a value[^]*required_variables_missing/,
  );
  t.regex(await mcp.text('launch_run', { template: 'Hire', variables: { region: 'EU' } }), /^Launched /);
});

test('the tasks of a large template are described in parts', async (t) => {
  const org = await newOrganization(app);
  const tasks = Array.from({ length: 101 }, (_, index) => ({ title: `Task ${index}` }));
  const { id } = await must(org.api.call('templates', 'create', { body: { name: 'Large' } }));
  const body = { phases: [], variables: [], tasks };
  await must(org.api.call('templates.draft', 'replace', { params: { id }, body }));
  await must(org.api.call('templates', 'publish', { params: { id } }));
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  const first = await mcp.data<{ tasks: unknown[]; nextCursor: string }>('describe_template', { template: 'Large' });
  t.is(first.tasks.length, 100);
  const next = { template: 'Large', cursor: first.nextCursor };
  t.like(await mcp.data('describe_template', next), { tasks: [{ title: 'Task 100' }], nextCursor: null });
  t.regex(await mcp.failure('describe_template', { ...next, cursor: 'x' }), /^cursor: must be the nextCursor/);
});

test('tools of endpoints take parameters, query and body of an endpoint, and lists are short', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }, { title: 'Second' }]);
  const run = await launchRun(org.api, templateId);
  const groups = parseGroups('runs, templates,groups');
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, { groups });
  const { tools } = await mcp.client.listTools();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  t.is(byName.size, tools.length, 'a name is there twice');
  t.true(tools.every(({ name }) => /^[a-z][a-z0-9_]{0,63}$/.test(name)));
  t.deepEqual(
    ['runs_export_csv', 'templates_set_background_image', 'groups_create', 'webhooks_list'].filter((name) =>
      byName.has(name),
    ),
    [],
    'streams, files, endpoints for sessions and other groups are left out',
  );
  t.deepEqual(byName.get('runs_list')?.annotations, { readOnlyHint: true, openWorldHint: false });
  t.deepEqual(byName.get('runs_cancel')?.annotations, { destructiveHint: true, openWorldHint: false });
  t.like(byName.get('templates_delete')?.annotations, { destructiveHint: true, idempotentHint: true });
  t.like(byName.get('templates_publish')?.annotations, { destructiveHint: false });
  t.deepEqual(byName.get('runs_tasks_set_status')?.inputSchema.required, ['taskId', 'body']);

  const { runTaskId } = run.byTitle('First');
  t.is(
    await mcp.text('runs_tasks_set_status', { taskId: runTaskId, body: { status: 'COMPLETED' } }),
    'Done: Set the status of a task directly.',
  );
  t.like(await mcp.data('runs_counts', { templateIds: [templateId] }), { RUNNING: 1, total: 1 });
  t.regex(await mcp.text('runs_activity', { id: run.id, limit: 1 }), /total: \d+\nhasMore: true/);
  for (let n = 0; n < 21; n += 1) await must(org.api.call('templates', 'create', { body: { name: `Draft ${n}` } }));
  t.is((await mcp.data<{ data: unknown[] }>('templates_list')).data.length, 20);
  t.regex(await mcp.failure('runs_get', { id: 'nonsense' }), /^id: must be a UUID/);
  t.is(await mcp.failure('runs_get', {}), 'id: must be a non-empty string');
  t.regex(await mcp.failure('runs_launch', { body: { templateId, colour: 'red' } }), /colour/);
  t.is(await mcp.failure('runs_get', { run: run.id }), 'run: unknown argument; use id, include, at');
  t.throws(() => parseGroups('runs,planes'), { message: /"planes" is not a group.*templates/ });
});

test('a read-only server offers nothing that changes anything', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const options = { readOnly: true, groups: parseGroups('all') };
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey }, options);
  const { tools } = await mcp.client.listTools();
  t.true(tools.length > 40);
  t.deepEqual(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
    [],
  );
  t.like(await mcp.data('analytics_filtered', { body: {} }), { total: 0 });
  await t.throwsAsync(mcp.text('launch_run', { template: templateId }), { message: /Unknown tool/ });
});

test('templates and runs are resources, and only those that the key can read', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign', fields: [{ label: 'Note', type: 'TEXT' }] }], {
    name: 'Onboarding',
    description: 'For new people',
  });
  const run = await launchRun(org.api, templateId, { title: 'Ada' });
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  await mcp.text('submit_form', { run: 'Ada', task: 'Sign', values: { note: 'Line 1\n- Line 2' }, complete: false });
  const { resources } = await mcp.client.listResources();
  t.deepEqual(
    resources.map(({ uri, name }) => [uri, name]),
    [
      [`runward://templates/${templateId}`, 'Template: Onboarding'],
      [`runward://runs/${run.id}`, `Run: ${run.publicId} "Ada" (RUNNING)`],
    ],
  );
  t.is((await mcp.client.listResourceTemplates()).resourceTemplates.length, 2);
  const read = async (uri: string) => {
    const [content] = (await mcp.client.readResource({ uri })).contents;
    return content && 'text' in content ? content.text : '';
  };
  t.regex(await read(`runward://templates/${templateId}`), /description: For new people[^]*key: note; label: Note/);
  t.regex(await read(`runward://runs/${run.id}`), /values:\n- task: Sign; field: Note; value: "Line 1\\n- Line 2"/);
  for (const uri of ['runward://runs/0195f3a0-0000-7000-8000-000000000001', 'runward://runs/x', 'file:///etc/passwd']) {
    await t.throwsAsync(read(uri), { message: /not found/i }, uri);
  }
  const limited = await connectHere(t, { ...app, apiKey: await org.plainKey({ scopes: ['users:read'] }) });
  t.deepEqual((await limited.client.listResources()).resources, []);
  t.deepEqual(await limited.names(), []);
  await t.throwsAsync(limited.client.readResource({ uri: `runward://runs/${run.id}` }), {
    message: /lacks the scope runs:read/,
  });
});

test('a member is found by name for a field, and named by its id if the key cannot look names up', async (t) => {
  const org = await newOrganization(app);
  const fields = [
    { label: 'Mentor', type: 'USER' },
    { label: 'Remote', type: 'CHECKBOX' },
  ] as const;
  const { templateId } = await publishProcess(org.api, [{ title: 'Hire', fields }]);
  await launchRun(org.api, templateId, { title: 'Ada' });
  const scopes = ['runs:read', 'runs:write', 'templates:read'] as const;
  const limited = await connectHere(t, { ...app, apiKey: await org.plainKey({ scopes: [...scopes] }) });
  const place = { run: 'Ada', task: 'Hire' };
  const submission = { ...place, complete: false };
  t.is(
    await limited.failure('submit_form', { ...submission, values: { mentor: org.ownerEmail } }),
    `The API key lacks the scope users:read, so "${org.ownerEmail}" cannot be looked up. Use the id of the member.`,
  );
  await limited.text('submit_form', { ...submission, values: { mentor: org.ownerUserId, remote: 'yes' } });
  const form = await limited.text('read_form', place);
  t.regex(form, /takes: true or false; value: true/);
  t.true(form.includes(`value: ${org.ownerUserId}`));
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  t.regex(await mcp.text('read_form', place), /type: USER; .* value: Owner/);
});
