import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopes } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { createDatabase } from '@runward/testing/database';
import { cheapPasswords } from '@runward/testing/passwords';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startService } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { openDatabase } from '../src/database/database.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { createApiKey, createOrganization } from '../src/organization/create-organization.ts';
import { ApiKey } from '../src/organization/entities/api-key.ts';

/** How often a key is revoked while both processes use it: often with FUZZ=all, which takes minutes. */
const rounds = process.env['FUZZ'] === undefined ? 5 : 300;

/** Two processes on a database of their own, and the owner of an organization in it. */
async function startTwo(t: ExecutionContext, env: Record<string, string> = {}) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-two-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = () => startService(dataDir, { DATABASE_URL: url, ...env });
  const services = await Promise.all([start(), start()]);
  t.teardown(() => services.forEach(({ child }) => child.kill('SIGKILL')));
  await Promise.all(services.map((service) => service.ready()));
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const owner = await inTransaction(database, (em) =>
    createOrganization(em, cheapPasswords, {
      name: 'Two',
      plan: 'BUSINESS',
      timeZone: 'UTC',
      ownerEmail: 'two@example.com',
    }),
  );
  return { services, database, ...owner };
}

test('a process returns what another one has changed in a run that both know', async (t) => {
  const { services, apiKey } = await startTwo(t);
  const [one, other] = services.map(({ baseUrl }) => apiOf(baseUrl, apiKey)) as [Api, Api];
  const { templateId, fields } = await publishProcess(one, [
    { title: 'Form', fields: [{ label: 'Name', type: 'TEXT' }] },
    { title: 'Check' },
  ]);
  const { id } = await launchRun(one, templateId);
  const read = async (api: Api) => must(api.call('runs', 'get', { params: { id }, query: { include: 'fieldValues' } }));
  const [form, check] = (await read(other)).tasks.map(({ runTaskId }) => runTaskId);
  const runTaskFieldId = fields['name']?.id ?? '';
  let executionEntryId = '';
  const changes: ((api: Api, round: number) => Promise<unknown>)[] = [
    async (api) => {
      const entry = await must(api.call('execution', 'open', { body: { runTaskId: form ?? '' } }));
      executionEntryId = entry.id;
    },
    (api, round) =>
      must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: `Ada ${round}` } })),
    (api) => must(api.call('execution', 'complete', { body: { executionEntryId } })),
    (api, round) => must(api.call('runs', 'update', { params: { id }, body: { title: `Round ${round}` } })),
    (api) =>
      must(api.call('runs.tasks', 'setStatus', { params: { taskId: check ?? '' }, body: { status: 'COMPLETED' } })),
    (api) => must(api.call('runs', 'reopen', { params: { id } })),
    (api) => must(api.call('runs.tasks', 'setStatus', { params: { taskId: form ?? '' }, body: { status: 'PENDING' } })),
    (api) =>
      must(api.call('runs.tasks', 'setStatus', { params: { taskId: check ?? '' }, body: { status: 'PENDING' } })),
  ];
  for (let round = 0; round < 4; round += 1) {
    for (const [index, change] of changes.entries()) {
      const before = await read(one);
      await change((round + index) % 2 === 0 ? one : other, round);
      const [here, there] = await Promise.all([read(one), read(other)]);
      t.deepEqual(here, there);
      t.true(Number(here.version) > Number(before.version));
    }
  }
});

test('two processes on one database share rate limits, and a revoked key stops in both immediately, also under load', async (t) => {
  const { services, database, organizationId, ownerUserId, apiKey } = await startTwo(t, {
    RATE_LIMIT_WRITES_PER_MINUTE: '60',
  });
  const apis = services.map(({ baseUrl }) => apiOf(baseUrl, apiKey));
  const write = async (index: number) => {
    const answer = await apis[index % 2]?.raw('POST', '/templates', { body: { name: `T${index}` } });
    return answer?.status;
  };

  const statuses: (number | undefined)[] = [];
  for (let sent = 0; sent < 80; sent += 20) {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => write(sent + index)))));
  }
  t.is(statuses.filter((status) => status === 201).length, 60);
  t.is(statuses.filter((status) => status === 429).length, 20);

  let rejected = 0;
  for (let pair = 0; pair < 50; pair += 1) {
    const { id, plainKey } = await inTransaction(database, (em) =>
      createApiKey(em, { organizationId, createdByUserId: ownerUserId, name: 'Short', scopes: ['runs:read'] }),
    );
    const [here, there] = services.map(({ baseUrl }) => apiOf(baseUrl, plainKey));
    // Both processes have it cached.
    t.deepEqual(
      await Promise.all([here, there].map(async (api) => (await api?.raw('GET', '/runs'))?.status)),
      [200, 200],
    );
    await inTransaction(database, (em) => em.nativeUpdate(ApiKey, { id }, { revokedAt: new Date() }));
    const answer = await (pair % 2 === 0 ? here : there)?.raw('GET', '/runs');
    if (answer?.status === 401) rejected += 1;
  }
  t.is(rejected, 50);

  const newKey = () =>
    inTransaction(database, (em) =>
      createApiKey(em, { organizationId, createdByUserId: ownerUserId, name: 'Busy', scopes }),
    );
  const api = apiOf(services[0]?.baseUrl ?? '', (await newKey()).plainKey);
  const { templateId } = await publishProcess(api);
  const { id: runId } = await launchRun(api, templateId);
  const uses = [
    ['GET', '/runs', undefined],
    ['GET', `/runs/${runId}`, undefined],
    ['POST', '/runs', { templateId }],
    ['PATCH', `/runs/${runId}`, { title: 'Renamed' }],
  ] as const;
  for (let round = 0; round < rounds; round += 1) {
    const { id, plainKey } = await newKey();
    let isRevoked = false;
    let successes = 0;
    const last = services.flatMap(({ baseUrl }) =>
      uses.map(async ([method, path, body]) => {
        for (;;) {
          const isLast = isRevoked;
          const { status } = await apiOf(baseUrl, plainKey).raw(method, path, body && { body });
          if (isLast) return status;
          if (status < 300) successes += 1;
        }
      }),
    );
    await until(async () => successes > 30, 'requests of both processes');
    await inTransaction(database, (em) => em.nativeUpdate(ApiKey, { id }, { revokedAt: new Date() }));
    isRevoked = true;
    t.deepEqual(await Promise.all(last), [401, 401, 401, 401, 401, 401, 401, 401]);
  }
});
