import { randomUUID } from 'node:crypto';
import { contract } from '@runward/contract';
import { apiOf, apiWith, type Api } from '@runward/testing/api';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { repository } from '@runward/testing/program';
import { startReceiver } from '@runward/testing/receiver';
import { checkOut, lastRelease } from '@runward/testing/releases/release';
import { startService, type ServiceProcess } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { versions } from './dump.ts';
import { migrateUp, restored, runProgram, type Restored } from './restored.ts';

const rounds = 6;

test('the last release and the present version serve a database together, and nothing fails', async (t) => {
  t.timeout(600_000);
  const dump = await restored(t, versions.at(-1) ?? '');
  await migrateUp(dump);
  const receiver = await startReceiver();
  t.teardown(() => receiver[Symbol.asyncDispose]());
  const services = await startBoth(t, dump);
  const { ownerEmail, ownerPassword, apiKey, ids } = dump.keys;
  const apis = services.map(({ baseUrl }) => apiOf(baseUrl, apiKey)) as [Api, Api];
  const [one, other] = apis;
  const name = `Both ${randomUUID()}`;
  const hook = { name, url: receiver.url, enabledEvents: ['run.started' as const, 'run.completed' as const] };
  await must(one.call('webhooks', 'create', { body: hook }));
  // The receiver of the dump is gone.
  await must(other.call('webhooks', 'delete', { params: { id: ids.webhook } }));

  const runIds: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [one, other] : [other, one];
    runIds.push(await work(t, first, second, `${name} ${round}`));
  }
  const [here, there] = services as [ServiceProcess, ServiceProcess];
  // Signed in at one, the owner is known to the other.
  const pairs = [
    [here, there],
    [there, here],
  ] as const;
  for (const [at, to] of pairs) {
    const cookie = await signIn(at.baseUrl, ownerEmail, ownerPassword);
    t.is((await apiWith(to.baseUrl, { cookie }).raw('GET', contract.users.list.path)).status, 200);
  }

  const ofRun = (id: string) => receiver.received.filter(({ body }) => body.includes(id));
  await until(() => runIds.every((id) => ofRun(id).length >= 2), 'both events of each run');
  for (const id of runIds) t.is(ofRun(id).length, 2, 'each event arrived once');

  for (const service of services) {
    t.is((await fetch(`${service.baseUrl}/health/ready`)).status, 200);
    service.child.kill('SIGTERM');
    t.is(await service.exited, 0, service.log());
    t.deepEqual(service.log().split('\n').filter(isError), []);
  }
  t.regex(await runProgram('chaos/at-rest/main.ts', [], dump.env), /^violations 0$/m);
});

/** Starts a process of the last release and one of the present version. */
async function startBoth(t: ExecutionContext, { dataDir, env }: Restored): Promise<ServiceProcess[]> {
  const release = lastRelease(repository);
  if (release === null) t.log('There is no tag v* yet: the present commit stands for the last release.');
  const old = release === null ? repository : checkOut(repository, release);
  const services: ServiceProcess[] = [];
  for (const root of [old, repository]) {
    const service = await startService(dataDir, env, root);
    t.teardown(() => service.child.kill('SIGKILL'));
    services.push(service);
  }
  await Promise.all(services.map((service) => service.ready()));
  return services;
}

/** Publishes, launches, fills in and completes, each step by the other process than the step before. */
async function work(t: ExecutionContext, one: Api, other: Api, name: string): Promise<string> {
  const { templateId, fields } = await publishProcess(
    one,
    [
      {
        title: 'Form',
        fields: [
          { key: 'note', label: 'Note', type: 'TEXT' },
          { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' },
        ],
      },
    ],
    { name },
  );
  const { id, byTitle } = await launchRun(other, templateId);
  const { runTaskId } = byTitle('Form');
  const { id: executionEntryId } = await must(one.call('execution', 'open', { body: { runTaskId } }));
  const field = (key: string) => ({ executionEntryId, runTaskFieldId: fields[key]?.id ?? '' });
  await must(other.call('execution', 'submit', { body: { ...field('note'), value: name } }));
  const upload = new File([name], 'note.txt', { type: 'text/plain' });
  const file = await must(one.call('files', 'directUpload', { body: { ...field('papers'), file: upload } }));
  const { url } = await must(other.call('files', 'downloadUrl', { params: { id: file.id } }));
  t.is(await (await fetch(url)).text(), name);

  const complete = (api: Api) =>
    api.raw('POST', contract.execution.complete.path, {
      body: { executionEntryId },
      headers: { 'idempotency-key': id },
    });
  t.is((await complete(one)).status, 204);
  const again = await complete(other);
  t.is(again.status, 204);
  t.is(again.headers.get('idempotency-replayed'), 'true');

  const [here, there] = [await getRun(one, id), await getRun(other, id)];
  t.is(here.status, 'COMPLETED');
  t.deepEqual([here.version, here.activityHash], [there.version, there.activityHash]);
  return id;
}

/** Signs in, and returns the cookies. */
async function signIn(baseUrl: string, email: string, password: string): Promise<string> {
  const { headers } = await apiWith(baseUrl, {}).raw('POST', contract.auth.login.path, { body: { email, password } });
  return headers
    .getSetCookie()
    .flatMap((cookie) => cookie.split(';', 1))
    .join('; ');
}

/** Whether a line of a log reports an error. */
const isError = (line: string) => line !== '' && (JSON.parse(line) as { level: number }).level >= 50;
