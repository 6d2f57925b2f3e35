import { apiOf, apiWith } from '@runward/testing/api';
import { startApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { verifyLines } from '../../../src/audit-log/verify-lines.ts';
import { moveOrganization } from '../../../src/database/cells/move/move-organization.ts';
import { connectTo } from '../../support/database/connect.ts';
import { hashesOf, newCells } from '../../support/database/two-cells.ts';
import { newWorld } from '../../support/world/world.ts';

/** Two services, each with a cell of one database, and an organization of the first one with one of everything. */
async function twoServices(t: ExecutionContext) {
  const stack = new AsyncDisposableStack();
  t.teardown(() => stack.disposeAsync());
  const cells = await newCells(stack);
  const first = await startApp(stack, { databaseUrl: cells.first.url, retrySchedule: [0, 1] });
  const second = await startApp(stack, { databaseUrl: cells.second.url, retrySchedule: [0, 1] });
  const org = await newOrganization(first);
  const receiver = stack.use(await startReceiver());
  const world = await newWorld(first, org, receiver.url);
  return { cells, first, second, org, world, receiver };
}

test('an organization moves while clients write: what was accepted is there, and nothing else was', async (t) => {
  const { cells, first, second, org, world, receiver } = await twoServices(t);
  const { organizationId, apiKey, ownerEmail: email, ownerPassword: password } = org;
  const other = await newOrganization(first);
  const own = await publishProcess(org.api);
  const others = await publishProcess(other.api);
  const enabledEvents = ['run.started' as const];
  const templates = { templateMode: 'SELECTED_TEMPLATES' as const, templateIds: [own.templateId] };
  const hook = { name: 'Hook', url: `${receiver.url}/own`, enabledEvents, ...templates };
  await must(org.api.call('webhooks', 'create', { body: hook }));
  const login = await apiOf(first.baseUrl, null).raw('POST', '/auth/login', { body: { email, password } });
  const cookie = login.headers.getSetCookie().map((each) => each.split(';')[0]);

  const end = new AbortController();
  const accepted: string[] = [];
  const refused: { status: number; code: string }[] = [];
  const write = async () => {
    while (!end.signal.aborted) {
      const { status, body, error } = await org.api.call('runs', 'launch', { body: { templateId: own.templateId } });
      if (status === 201) accepted.push(body.id);
      else refused.push({ status, code: error.code });
    }
  };
  const ofOther: number[] = [];
  const writeOther = async () => {
    while (!end.signal.aborted) {
      ofOther.push((await other.api.call('runs', 'launch', { body: { templateId: others.templateId } })).status);
    }
  };
  const clients = [write(), write(), write(), writeOther()];
  await until(() => accepted.length > 20 && ofOther.length > 20, 'launches before the move');
  const before = accepted.length;
  const result = await moveOrganization({ ...cells.move(organizationId), drainSeconds: 2 });
  t.log(`${result.rows} rows, ${result.stoppedSeconds.toFixed(2)} s stopped`);
  const audited = await verifyLines(second.database.em.fork(), organizationId);
  await until(() => refused.some(({ status }) => status === 421), 'a refusal after the move');
  end.abort();
  await Promise.all(clients);

  t.true(accepted.length > before && (result.rows ?? 0) > 100, `${accepted.length} launches, ${result.rows} rows`);
  const kinds = new Set(refused.map(({ status, code }) => `${status} ${code}`));
  t.deepEqual(
    [...kinds].filter((kind) => kind !== '503 organization_moving'),
    ['421 organization_moved'],
  );
  t.true(ofOther.every((status) => status === 201));

  const api = apiOf(second.baseUrl, apiKey);
  const { total } = await must(api.call('runs', 'list', { query: { templateId: own.templateId } }));
  t.is(total, accepted.length);
  for (const id of accepted) t.is((await api.call('runs', 'get', { params: { id } })).status, 200);
  t.is((await apiWith(second.baseUrl, { cookie: cookie.join('; ') }).call('auth', 'session')).status, 200);
  t.is(audited.problem, null);
  t.true(audited.verified > 0);
  t.deepEqual(await activityOf(second.baseUrl, apiKey, world.ids.run), await copiedActivity(cells, world.ids.run));

  second.dispatcher.notify();
  const sent = () =>
    receiver.received.filter(({ url }) => url.endsWith('/own')).map(({ headers }) => headers['webhook-id']);
  await until(() => new Set(sent()).size === accepted.length, 'all deliveries');
  await second.dispatcher.tick();
  await first.dispatcher.tick();
  t.is(sent().length, accepted.length);

  t.is((await api.call('runs', 'launch', { body: { templateId: own.templateId } })).status, 201);
  t.like(await org.api.call('runs', 'list', {}), { status: 421 });
});

const activityOf = async (baseUrl: string, apiKey: string, id: string) =>
  (await must(apiOf(baseUrl, apiKey).call('runs', 'activity', { params: { id } }))).data.map(({ hash }) => hash);

/** The hashes of the activity of a run, newest first, as the cell that it left has them. */
async function copiedActivity({ first }: Awaited<ReturnType<typeof newCells>>, runId: string): Promise<string[]> {
  const { rows } = await first.client.query<{ hash: string }>(
    `select hash from activity where run_id = $1 order by sequence desc`,
    [runId],
  );
  return rows.map(({ hash }) => hash);
}

test('a request that is writing when its organization is stopped is waited for, and what it writes moves', async (t) => {
  const { cells, org, second } = await twoServices(t);
  const { first } = cells;
  const { organizationId, apiKey } = org;
  const { id } = await must(org.api.call('folders', 'create', { body: { name: 'Before' } }));
  const lock = async () => {
    await first.client.query('begin');
    await first.client.query('select from folders where id = $1 for update', [id]);
  };
  const rename = async () => org.api.call('folders', 'update', { params: { id }, body: { name: 'After' } });
  let request: Promise<{ status: number }> | undefined;
  const move = moveOrganization({
    ...cells.move(organizationId),
    // The connection of the cell holds the lock.
    source: await connectTo(t, first.url),
    drainSeconds: 1,
    report: (text) => {
      // A transaction that began earlier would be waited for before the stop.
      if (text.startsWith('waiting')) request ??= lock().then(rename);
    },
  });
  await until(
    async () => (await first.client.query(`select from organization_moves where step = 'STOPPED'`)).rowCount === 1,
    'the stop of the writes',
  );
  t.like(await org.api.call('folders', 'create', { body: { name: 'Late' } }), { status: 503 });
  await first.client.query('commit');
  t.is((await request)?.status, 200);
  const { stoppedSeconds } = await move;
  t.true(stoppedSeconds < 15);
  const { data } = await must(apiOf(second.baseUrl, apiKey).call('folders', 'list', {}));
  t.true(data.some((folder) => folder.id === id && folder.name === 'After'));
  t.false(data.some(({ name }) => name === 'Late'));
  t.deepEqual(await hashesOf(first.client, organizationId), await hashesOf(cells.second.client, organizationId));
});
