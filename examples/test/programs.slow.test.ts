import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startProgram, type Program } from '@runward/testing/program';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { sign } from '@runward/webhooks';
import test from 'ava';

const app = useSharedApp(test);
const newHires = join(import.meta.dirname, '..', 'new-hires.csv');

const start = (example: string, args: readonly string[], env: Record<string, string>) =>
  startProgram(`examples/${example}/main.ts`, args, { env });

const keyOf = ({ apiKey }: TestOrganization) => ({ RUNWARD_BASE_URL: app.baseUrl, RUNWARD_API_KEY: apiKey });

/** Publishes a template with a variable for each column of the CSV file. */
async function publishOnboarding(org: TestOrganization): Promise<string> {
  const columns = ['new_hire_name', 'role', 'department', 'manager', 'manager_email', 'office'];
  const settings = { runTitlePattern: '{{variables.new_hire_name}}, {{variables.role}} on {{date}}' };
  const variables = columns.map((key) => ({ key }));
  return (await publishProcess(org.api, undefined, settings, variables)).templateId;
}

test('examples/api launches a run and prints its tasks', async (t) => {
  const org = await newOrganization(app);
  const due = { from: 'SCHEDULED_DATE', offset: 'P1D' } as const;
  const { templateId } = await publishProcess(org.api, [{ title: 'Pack' }, { title: 'Send', due }]);

  const program = start('api', [templateId, 'By hand'], keyOf(org));
  t.is(await program.ended, 0, program.output());

  const { data } = await must(org.api.call('runs', 'list'));
  t.is(data.length, 1);
  const lines = program.output().trimEnd().split('\n');
  t.is(lines[0], `${data[0]?.publicId} "By hand" is RUNNING`);
  t.is(lines[1], '  PENDING  Pack');
  t.regex(lines[2] ?? '', /^ {2}PENDING {2}Send, due \d{4}-\d\d-\d\dT00:00:00.000Z$/);
});

test('examples/api prints the error of the service, without the API key', async (t) => {
  const org = await newOrganization(app);
  const unknown = start('api', [randomUUID()], keyOf(org));
  t.is(await unknown.ended, 1);
  t.regex(unknown.output(), /Error: POST \/runs: 404 Not Found: /);
  t.false(unknown.output().includes(org.apiKey));
});

test('examples/csv-launch launches a run for each row', async (t) => {
  const org = await newOrganization(app);
  const program = start('csv-launch', [await publishOnboarding(org), newHires], keyOf(org));
  t.is(await program.ended, 0, program.output());

  const { data } = await must(org.api.call('runs', 'list'));
  const launched = data.toReversed();
  t.is(launched.length, 25);
  t.is(program.output(), launched.map(({ publicId, title }) => `${publicId}  ${title}\n`).join(''));
  t.true(launched.some(({ title }) => title === 'Whitfield, James Jr., Controller on 2026-12-01'));
  t.true(launched.some(({ title }) => title === '中村 さくら, Localization specialist on 2026-12-14'));
  t.like(launched[0], { title: 'Amélie Dubois, Product designer on 2026-12-01', scheduledDateLocal: '2026-12-01' });

  const variables = await must(org.api.call('runs', 'variables', { params: { id: launched[0]?.id ?? '' } }));
  t.is(variables.data.find(({ key }) => key === 'manager_email')?.value, 'henrik.aalto@example.com');
});

test('examples/csv-launch names the row that is rejected and launches the others', async (t) => {
  const org = await newOrganization(app);
  const folder = await mkdtemp(join(tmpdir(), 'runward-examples-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const [header, first, second] = (await readFile(newHires, 'utf8')).split('\n');
  const file = join(folder, 'rows.csv');
  await writeFile(file, [header, first?.replace('2026-12-01', 'tomorrow'), second].join('\n'));

  const program = start('csv-launch', [await publishOnboarding(org), file], keyOf(org));
  t.is(await program.ended, 1);
  t.regex(program.output(), /^Row 1 was rejected: scheduledDateLocal: must be a date/m);
  const { data } = await must(org.api.call('runs', 'list'));
  t.deepEqual(
    data.map(({ title }) => title),
    ['Tomás Ferreira, Backend engineer on 2026-12-01'],
  );
});

test('examples/receiver accepts what the service signed, and rejects everything else', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }]);
  const program = start('receiver', [], { RUNWARD_SIGNING_SECRET: org.signingSecret, PORT: '0' });
  t.teardown(() => program.process.kill('SIGKILL'));
  const url = await program.printed(/http:\/\/127\.0\.0\.1:\d+\//);

  const enabledEvents = ['run.started', 'run.completed'] as const;
  await must(org.api.call('webhooks', 'create', { body: { name: 'Test', url, enabledEvents: [...enabledEvents] } }));
  const run = await launchRun(org.api, templateId);
  const params = { taskId: run.byTitle('Only task').runTaskId };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  await program.printed(new RegExp(`^run.started of run ${run.id}$`, 'm'));
  await program.printed(new RegExp(`^run ${run.id} is complete$`, 'm'));

  const body = JSON.stringify({
    event: 'run.completed',
    deliveryId: 'd-1',
    timestamp: new Date().toISOString(),
    orgId: org.organizationId,
    data: { runId: 'forged', templateId },
  });
  const forged = await sign(body, { secret: 'another secret' });
  t.is((await fetch(url, { method: 'POST', body, headers: forged })).status, 401);
  await program.printed(/^rejected with 401: /m);
  t.notRegex(program.output(), /forged/);

  const authentic = await sign(body, { secret: org.signingSecret });
  for (const result of ['handled', 'duplicate']) {
    const response = await fetch(url, { method: 'POST', body, headers: authentic });
    t.deepEqual(await response.json(), { result });
  }
  await program.printed(/^duplicate of d-1$/m);
});

test('examples/receiver reports that an approval is requested, rejected and granted', async (t) => {
  const org = await newOrganization(app);
  const { session } = await addMember(app.baseUrl, await org.session());
  const { templateId, fields } = await publishProcess(org.api, [
    { title: 'Pay', approval: {}, fields: [{ label: 'Amount', key: 'amount', type: 'TEXT', required: true }] },
  ]);
  const program = start('receiver', [], { RUNWARD_SIGNING_SECRET: org.signingSecret, PORT: '0' });
  t.teardown(() => program.process.kill('SIGKILL'));
  const url = await program.printed(/http:\/\/127\.0\.0\.1:\d+\//);
  const events = ['approval.requested', 'approval.granted', 'approval.rejected'] as const;
  await must(org.api.call('webhooks', 'create', { body: { name: 'Test', url, enabledEvents: [...events] } }));

  const taskId = (await launchRun(org.api, templateId)).byTitle('Pay').runTaskId;
  const { id: executionEntryId } = await must(org.api.call('execution', 'open', { body: { runTaskId: taskId } }));
  const runTaskFieldId = fields['amount']?.id ?? '';
  const submit = (value: string) =>
    must(org.api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value } }));
  await submit('100');
  t.is(await program.printed(/^task .* waits .*$/m), `task ${taskId} waits for approval`);
  await must(session.call('runs.tasks', 'reject', { params: { taskId }, body: { comment: 'Too much' } }));
  t.is(await program.printed(/^task .* is rejected.*$/m), `task ${taskId} is rejected: Too much`);
  await submit('90');
  await must(session.call('runs.tasks', 'approve', { params: { taskId } }));
  t.is(await program.printed(/^task .* is approved.*$/m), `task ${taskId} is approved`);
});

test('examples/receiver gets the events that it missed while it was stopped', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const folder = await mkdtemp(join(tmpdir(), 'runward-examples-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const CURSOR_FILE = join(folder, 'cursor');
  const env = { ...keyOf(org), RUNWARD_SIGNING_SECRET: org.signingSecret, PORT: '0', CURSOR_FILE };
  const stop = async (program: Program) => t.is(await program.end('SIGTERM'), 0, program.output());
  const first = start('receiver', [], env);
  await until(() => readFile(CURSOR_FILE, 'utf8').catch(() => ''), 'the first position in the feed');
  await stop(first);

  const missed = await launchRun(org.api, templateId);
  const second = start('receiver', [], env);
  await second.printed(new RegExp(`^run.started of run ${missed.id}$`, 'm'));
  await stop(second);
});

test('examples/receiver stops on SIGTERM, and when its parent process ends', async (t) => {
  const env = { RUNWARD_SIGNING_SECRET: 'secret', PORT: '0' };
  const program = start('receiver', [], env);
  await program.printed(/listening for webhooks/);
  t.is(await program.end('SIGTERM'), 0);

  const parent = startProgram('examples/test/receiver-parent.ts', [], { env });
  const url = await parent.printed(/http:\S+/);
  t.is((await fetch(url)).status, 405);
  await parent.end('SIGKILL');
  const isGone = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  t.true(await until(isGone, 'the receiver to stop'));
});
