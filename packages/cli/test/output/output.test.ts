import { readFile } from 'node:fs/promises';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

async function twoRuns() {
  const work = await newWorkplace();
  const { templateId } = await publishProcess(work.org.api);
  const first = await launchRun(work.org.api, templateId, { title: 'Plain', scheduledDateLocal: '2026-03-01' });
  const second = await launchRun(work.org.api, templateId, {
    title: '=1+1, "quoted"',
    scheduledDateLocal: '2026-03-02',
  });
  return { ...work, first, second };
}

test('a list is JSON unless -o chooses a format; --fields chooses its fields', async (t) => {
  const { runward, first, second } = await twoRuns();
  const list = (...args: string[]) => runward(['runs', 'list', ...args]);

  const piped = await list();
  t.deepEqual(
    (JSON.parse(piped.stdout) as { title: string }[]).map(({ title }) => title),
    ['=1+1, "quoted"', 'Plain'],
  );
  t.is(
    (await list('-o', 'jsonl', '--fields', 'title,id')).stdout.split('\n')[1],
    `{"title":"Plain","id":"${first.id}"}`,
  );
  t.is(
    (await list('--output', 'csv', '--fields', 'title,scheduledDateLocal')).stdout,
    'title,scheduledDateLocal\n"\'=1+1, ""quoted""",2026-03-02\nPlain,2026-03-01\n',
  );
  const csv = (await list('-o', 'csv')).stdout.split('\n');
  t.is(
    csv[0],
    'id,publicId,title,status,templateId,ownerUserId,scheduledDateLocal,createdAt,completedAt,cancelledAt,archivedAt,updatedAt',
  );
  t.is(
    (await list('-o', 'table', '--fields', 'title,status')).stdout,
    'title           status\n=1+1, "quoted"  RUNNING\nPlain           RUNNING\n',
  );
  t.is(
    (await runward(['runs', 'get', second.id, '--fields', 'status,tasks.0.title'])).stdout,
    '{\n  "status": "RUNNING",\n  "tasks.0.title": "Only task"\n}\n',
  );
});

test('a field of the records in a list is a list of its values, and a chosen field without a value is null', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [
    { title: 'Order', fields: [{ label: 'Shop', type: 'TEXT' }] },
    { title: 'Pay', fields: [{ label: 'Sum', type: 'NUMBER' }] },
  ]);
  const { id } = await launchRun(org.api, templateId, { title: 'Laptop' });
  const get = async (fields: string, ...args: string[]) =>
    (await runward(['runs', 'get', id, '--fields', fields, ...args])).stdout;

  t.deepEqual(JSON.parse(await get('title,tasks.title,tasks.hiddenFieldIds,tasks.9.title')), {
    title: 'Laptop',
    'tasks.title': ['Order', 'Pay'],
    'tasks.hiddenFieldIds': [[], []],
    'tasks.9.title': null,
  });
  t.is(await get('title,tasks.title', '-o', 'csv'), 'title,tasks.title\nLaptop,"Order, Pay"\n');
  t.is(await get('title,tasks.title', '-o', 'table'), 'title        Laptop\ntasks.title  Order, Pay\n');
  const none = await runward(['templates', 'list', '--fields', 'backgroundImage.url', '-o', 'jsonl']);
  t.is(none.stdout, '{"backgroundImage.url":null}\n');
  const draft = await runward(['templates', 'get', templateId, '--fields', 'tasks.fields.label']);
  t.deepEqual(JSON.parse(draft.stdout), { 'tasks.fields.label': ['Shop', 'Sum'] });
});

test('an unknown field or format exits with 2, also for an empty list', async (t) => {
  const { runward } = await newWorkplace();
  const field = await runward(['runs', 'list', '--fields', 'id,titel', '-o', 'table']);
  t.is(field.code, 2);
  t.regex(field.stderr, /unknown field titel\. Did you mean title\?/);
  for (const output of ['csv', 'json', 'jsonl']) {
    t.is((await runward(['runs', 'list', '--fields', 'titel', '-o', output])).code, 2, output);
  }
  const format = await runward(['runs', 'list', '-o', 'xml']);
  t.is(format.code, 2);
  t.regex(format.stderr, /It must be one of table, json, jsonl, csv\.\n {2}See: runward runs list --help/);
  t.is((await runward(['runs', 'list', '-o', 'csv', '--fields', 'id,title'])).stdout, 'id,title\n');
});

test('an unknown field is an error before anything changes', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Pay' }]);
  const { id } = await launchRun(org.api, templateId);
  for (const [args, problem] of [
    [['runs', 'launch', '--template', templateId, '--fields', 'id,titel'], 'unknown field titel. Did you mean title?'],
    [['runs', 'cancel', id, '--fields', 'tasks.titel'], 'unknown field tasks.titel. Did you mean tasks.title?'],
    [['tasks', 'complete', id, 'Pay', '--fields', 'titel'], 'unknown field titel. Did you mean title?'],
    [['templates', 'duplicate', templateId, '--fields', 'nam'], 'unknown field nam. Did you mean name?'],
  ] as const) {
    const { code, stderr } = await runward(args);
    t.is(code, 2);
    t.true(stderr.includes(problem), stderr);
  }
  t.is((await must(org.api.call('runs', 'list'))).total, 1);
  t.like(await getRun(org.api, id), { status: 'RUNNING', tasks: [{ status: 'PENDING' }] });
  t.is((await must(org.api.call('templates', 'list'))).total, 1);
  t.is((await runward(['templates', 'duplicate', templateId, '--fields', 'name'])).code, 0);
});

test('an unknown field after a dot exits with 2 and names a similar one, except where keys are data', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Pay', fields: [{ label: 'Sum', type: 'NUMBER' }] }]);
  const { id } = await launchRun(org.api, templateId, { title: 'Laptop' });
  const problems = async (...args: string[]) => {
    const { code, stderr } = await runward([...args, '-o', 'json']);
    t.is(code, 2);
    return (JSON.parse(stderr) as { messages: string[] }).messages;
  };

  t.deepEqual(await problems('runs', 'get', id, '--fields', 'tasks.titel,tasks.0.titel,title.en,tasks.approval.x'), [
    '--fields: unknown field tasks.titel. Did you mean tasks.title?',
    '--fields: unknown field tasks.0.titel. Did you mean tasks.title?',
    '--fields: unknown field title.en. title has no fields.',
    '--fields: unknown field tasks.approval.x. Choose from tasks.approval.status, tasks.approval.approverIds, tasks.approval.approverGroupIds, tasks.approval.policy, tasks.approval.allowSelfApproval, tasks.approval.requestedAt, tasks.approval.decidedAt, tasks.approval.decisions.',
  ]);
  t.regex(
    (await problems('templates', 'get', templateId, '--fields', 'tasks.fields.lable'))[0] ?? '',
    /fields\.label\?/,
  );
  t.regex((await problems('webhooks', 'deliveries', '--fields', 'attempts.eror'))[0] ?? '', /attempts\.error\?/);
  const variable = await runward(['runs', 'get', id, '--fields', 'variables.anything']);
  t.is(variable.stdout, '{\n  "variables.anything": null\n}\n');
});

test('an empty list is a sentence on a terminal; elsewhere only the formats for programs print something', async (t) => {
  const { runward } = await newWorkplace();
  const printed = async (args: readonly string[], columns?: number) => {
    const { stdout, stderr } = await runward(args, columns === undefined ? {} : { columns });
    return [stdout, stderr];
  };
  t.deepEqual(await printed(['runs', 'list'], 80), ['', 'No runs found.\n']);
  t.deepEqual(await printed(['groups', 'list'], 80), ['', 'No groups found.\n']);
  t.deepEqual(await printed(['webhooks', 'deliveries'], 80), ['', 'No deliveries found.\n']);
  t.deepEqual(await printed(['runs', 'list', '-o', 'table']), ['', '']);
  t.deepEqual(await printed(['runs', 'list']), ['[]\n', '']);
  t.deepEqual(await printed(['runs', 'list', '-o', 'jsonl'], 80), ['', '']);
});

test('an error is printed to stderr as lines, or as one JSON object with -o json', async (t) => {
  const { runward } = await newWorkplace();
  const path = '/runs/0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';
  const missing = await runward(['api', 'GET', path, '-o', 'json']);
  t.is(missing.code, 3);
  t.is(missing.stdout, '');
  const { requestId, ...reported } = JSON.parse(missing.stderr);
  const { messages } = reported;
  t.deepEqual(reported, { error: 'Not Found', messages, exitCode: 3, statusCode: 404, code: 'not_found' });
  t.is(typeof requestId, 'string');
  const lines = await runward(['api', 'GET', path]);
  t.regex(lines.stderr, /^Error: .+\n {2}It may .+\n {2}\(request \S+\)\n$/);

  const misspelled = await runCommand(['run', 'list']);
  t.is(misspelled.code, 2);
  t.regex(misspelled.stderr, /unknown command 'run'\n {2}\(Did you mean runs\?\)/);
  const option = await runCommand(['runs', 'list', '--statsu', 'RUNNING', '-o', 'json']);
  t.deepEqual(JSON.parse(option.stderr), {
    error: 'Usage',
    messages: ["unknown option '--statsu'", '(Did you mean --status?)'],
    exitCode: 2,
  });
});

test('a missing scope exits with 4 and is named', async (t) => {
  const { newKey, runward } = await newWorkplace();
  const env = { RUNWARD_API_KEY: await newKey(['users:read']) };
  const { code, stderr } = await runward(['runs', 'list', '-o', 'json'], { env });
  t.is(code, 4);
  t.like(JSON.parse(stderr), { error: 'Forbidden', missingScope: 'runs:read', exitCode: 4 });
});

test('--debug logs requests without the API key', async (t) => {
  const { org, runward } = await newWorkplace();
  const { code, stdout, stderr } = await runward(['runs', 'list', '--debug']);
  t.is(code, 0);
  t.is(stdout, '[]\n');
  t.regex(stderr, /^> GET http:\S+\/runs\?limit=200 \[.*authorization: \[redacted\].*user-agent: \S+ \S+ runward-cli/);
  t.regex(stderr, /\n< 200 in \d+ ms \(request \S+\)\n$/);
  t.false(stderr.includes(org.apiKey));
});

test('help is printed to stdout with the exit codes; the version is that of the package', async (t) => {
  const help = await runCommand(['--help']);
  t.is(help.code, 0);
  t.regex(help.stdout, /^ {2}130 {2}interrupted \(Ctrl-C, SIGINT\)$/m);
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  t.is((await runCommand(['--version'])).stdout, `${manifest.version}\n`);
  const bare = await runCommand(['runs']);
  t.is(bare.code, 2);
  t.regex(bare.stderr, /launch +Launch a run/);
});
