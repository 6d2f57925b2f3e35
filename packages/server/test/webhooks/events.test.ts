import { setTimeout as pause } from 'node:timers/promises';
import { specifiedEventNames, type DeliveryPayload } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { encodeCursor } from '../../src/paging.ts';
import { connectTo } from '../support/database/connect.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

/** The events of the specification, to which most tests here keep. */
const events = specifiedEventNames;

/** Reads the feed to its end. */
async function follow(api: Api, after?: string, limit = 200): Promise<{ events: DeliveryPayload[]; after: string }> {
  const read: DeliveryPayload[] = [];
  for (let at = after; ;) {
    const query = { limit, events, ...(at !== undefined && { after: at }) };
    const page = await must(api.call('events', 'list', { query }));
    read.push(...page.data);
    if (!page.hasMore) return { events: read, after: page.after };
    at = page.after;
  }
}

const shown = (events: readonly DeliveryPayload[]) =>
  events.map(({ event, data }) => [event, data.runId, data.sequence]);

test('the feed returns every event once, in order, with or without a webhook, and then nothing until the next event', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }]);
  const run = await launchRun(api, templateId);
  const complete = (title: string) => {
    const params = { taskId: run.byTitle(title).runTaskId };
    return must(api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  };
  await complete('A');
  const first = await follow(api, undefined, 1);
  t.deepEqual(shown(first.events), [
    ['run.started', run.id, 1],
    ['task.completed', run.id, 2],
  ]);
  t.like(first.events[0], { orgId: organizationId, data: { templateId } });
  t.deepEqual((await follow(api, first.after)).events, []);

  await complete('B');
  const next = await follow(api, first.after);
  const all = shown((await follow(api)).events);
  t.deepEqual(all, [...shown(first.events), ...shown(next.events)]);
  t.deepEqual(
    next.events.map(({ event }) => event),
    ['task.completed', 'run.completed'],
  );
  t.true((next.events[1]?.data.sequence ?? 0) > (next.events[0]?.data.sequence ?? 0));
});

test('an event has the same id and body at every webhook and in the feed', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  await using one = await startReceiver();
  await using other = await startReceiver();
  for (const { url } of [one, other]) {
    await must(api.call('webhooks', 'create', { body: { name: 'Hook', url, enabledEvents: ['run.started'] } }));
  }
  await launchRun(api, templateId);
  const [[a], [b]] = await Promise.all([one.wait(1), other.wait(1)]);
  const { events } = await follow(api);
  t.is(a?.body, b?.body);
  t.is(a?.body, JSON.stringify(events[0]));
  const { data } = await must(api.call('webhooks', 'deliveries'));
  t.deepEqual(
    data.map(({ deliveryId }) => deliveryId),
    [events[0]?.deliveryId, events[0]?.deliveryId],
  );
  t.is(new Set(data.map(({ id }) => id)).size, 2);
  const page = await must(api.call('webhooks', 'deliveries', { query: { limit: 1 } }));
  const rest = await must(api.call('webhooks', 'deliveries', { query: { cursor: page.nextCursor ?? '' } }));
  t.deepEqual([...page.data, ...rest.data], data);
});

test('"now" skips earlier events; test deliveries are not in the feed', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  await using receiver = await startReceiver();
  const settings = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  const hook = await must(api.call('webhooks', 'create', { body: settings }));
  await launchRun(api, templateId);
  await must(api.call('webhooks', 'test', { params: { id: hook.id } }));
  const now = await must(api.call('events', 'list', { query: { after: 'now' } }));
  t.like(now, { data: [], hasMore: false });
  const run = await launchRun(api, templateId);
  t.deepEqual(shown((await follow(api, now.after)).events), [['run.started', run.id, 1]]);
});

test('a key sees the events of its organization, a restricted key those of its templates', async (t) => {
  const org = await newOrganization(app);
  const stranger = await newOrganization(app);
  const mine = await publishProcess(org.api);
  const others = await publishProcess(org.api);
  const key = { scopes: ['webhooks:manage'], resourceMode: 'SELECTED_TEMPLATES' } as const;
  const restricted = await org.key({ ...key, scopedTemplateIds: [mine.templateId] });
  const run = await launchRun(org.api, mine.templateId);
  await launchRun(org.api, others.templateId);

  t.deepEqual((await follow(stranger.api)).events, []);
  t.is((await follow(org.api)).events.length, 2);
  const seen = await follow(restricted);
  t.deepEqual(shown(seen.events), [['run.started', run.id, 1]]);
  const again = await launchRun(org.api, mine.templateId);
  t.deepEqual(shown((await follow(restricted, seen.after)).events), [['run.started', again.id, 1]]);
});

test('an expired or invalid cursor is rejected', async (t) => {
  const { api } = await newOrganization(app);
  const at = (daysAgo: number) => encodeCursor([0, Date.now() - daysAgo * 86_400_000]);
  t.is((await api.call('events', 'list', { query: { after: at(30.9) } })).status, 200);
  await isRejected(t, api.call('events', 'list', { query: { after: at(31.1) } }), 400, [
    'after: is more than 30 days old, and later events have been purged; omit it to start with the oldest event',
  ]);
  for (const after of ['nonsense', encodeCursor([-1, Date.now()]), encodeCursor([1])]) {
    await isRejected(t, api.call('events', 'list', { query: { after } }), 400, [
      'after: must be the `after` of an earlier response, or now; omit it to start with the oldest event',
    ]);
  }
});

test('a cursor in the middle of the feed expires with the event it follows', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  for (let n = 0; n < 3; n += 1) await launchRun(api, templateId);
  await follow(api);
  const old = new Date(Date.now() - 31.1 * 86_400_000).toISOString();
  await app.provision.query(
    `update events set body = jsonb_set(body::jsonb, '{timestamp}', to_jsonb($1::text))::text
     where organization_id = $2 and position = 1`,
    [old, organizationId],
  );
  const first = await must(api.call('events', 'list', { query: { limit: 1, events } }));
  t.is((await api.call('events', 'list', { query: { after: first.after } })).status, 400);
  const second = await must(api.call('events', 'list', { query: { limit: 2, events } }));
  t.is((await follow(api, second.after)).events.length, 1);
});

test('the feed starts with events of the last 30 days, although older ones still exist', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  const run = await launchRun(api, templateId);
  await follow(api);
  const old = new Date(Date.now() - 30.1 * 86_400_000);
  await app.provision.query('update events set created_at = $1 where organization_id = $2 and position = 1', [
    old,
    organizationId,
  ]);
  t.deepEqual(shown((await follow(api)).events), [['run.started', run.id, 1]]);
  const after = encodeCursor([0, old.getTime()]);
  t.is((await follow(api, after)).events.length, 2);
});

test('an event that is committed late is placed late and not skipped', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const slow = await connectTo(t, app.databaseUrl);
  await slow.query('begin');
  const { rows } = await slow.query<{ id: string }>(
    `insert into events (id, organization_id, run_id, template_id, sequence, event, body, created_at)
     select gen_random_uuid(), organization_id, run_id, template_id, 2, event, replace(body, '"sequence":1', '"sequence":2'), now()
     from events where organization_id = $1 and event = 'run.started' returning id`,
    [organizationId],
  );
  t.is(rows.length, 1);

  const before = await follow(api);
  const later = await launchRun(api, templateId);
  const between = await follow(api, before.after);
  await slow.query('commit');
  const after = await follow(api, between.after);
  t.deepEqual(shown(before.events), [['run.started', run.id, 1]]);
  t.deepEqual(shown(between.events), [['run.started', later.id, 1]]);
  t.deepEqual(shown(after.events), [['run.started', run.id, 2]]);
});

test('readers that follow the feed during concurrent writes miss nothing and see each run in order', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }]);
  let writing = true;
  const read = async () => {
    const events: DeliveryPayload[] = [];
    let after: string | undefined;
    for (let last = false; ; await pause(5)) {
      const page = await follow(api, after, 7);
      events.push(...page.events);
      after = page.after;
      if (last) return events;
      last = !writing;
    }
  };
  const readers = [read(), read()];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const run = await launchRun(api, templateId);
      const complete = (title: string) =>
        api.call('runs.tasks', 'setStatus', {
          params: { taskId: run.byTitle(title).runTaskId },
          body: { status: 'COMPLETED' },
        });
      await Promise.all([complete('A'), complete('B')]);
    }),
  );
  writing = false;
  for (const events of await Promise.all(readers)) {
    t.is(new Set(events.map(({ deliveryId }) => deliveryId)).size, 80);
    t.is(events.length, 80);
    for (const ofRun of Map.groupBy(events, ({ data }) => data.runId).values()) {
      const sequences = ofRun.map(({ data }) => data.sequence);
      t.deepEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
      );
      t.is(ofRun.at(-1)?.event, 'run.completed');
    }
  }
});
