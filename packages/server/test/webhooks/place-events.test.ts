import { randomUUID } from 'node:crypto';
import type { DeliveryPayload } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import * as fc from 'fast-check';
import { inTransaction } from '../../src/database/transaction.ts';
import type { Event } from '../../src/webhooks/entities/event.ts';
import { endOfFeed, placeAllEvents, placeEvents } from '../../src/webhooks/queries/place-events.ts';

const app = useApp(test);

/** An event to place: the minute it was created, and the run whose next event it is. */
type Planned = readonly [minute: number, run: number];

/**
 * Adds events without a position. Their bodies are the one of the first event of the organization, with another
 * sequence. As with events of the service, the times of a run's events do not go back.
 */
async function addEvents(organizationId: string, planned: readonly Planned[]): Promise<void> {
  const [model] = await app.provision.query<Pick<Event, 'templateId' | 'event' | 'body'>>(
    'select template_id as "templateId", event, body from events where organization_id = $1 order by id limit 1',
    [organizationId],
  );
  if (!model) throw new Error('The organization has no event to copy.');
  const yesterday = Date.now() - 86_400_000;
  const latest = new Map<number, { minute: number; sequence: number }>();
  const events = planned.map(([minute, run], index) => {
    const before = latest.get(run) ?? { minute: 0, sequence: 1 };
    const own = { minute: Math.max(before.minute, minute), sequence: before.sequence + 1 };
    latest.set(run, own);
    const id = randomUUID();
    const { data, ...payload } = JSON.parse(model.body) as DeliveryPayload;
    const body = { ...payload, timestamp: new Date(), deliveryId: id, data: { ...data, sequence: index + 1 } };
    return {
      id,
      run_id: uuidOf(organizationId, run),
      sequence: own.sequence,
      body: JSON.stringify(body),
      created_at: new Date(yesterday - (yesterday % 60_000) + own.minute * 60_000),
    };
  });
  await app.provision.query(
    `insert into events (organization_id, id, run_id, template_id, sequence, event, body, created_at)
     select $1, id, run_id, $2, sequence, $3, body, created_at
     from json_to_recordset($4) event (id uuid, run_id uuid, sequence int, body text, created_at timestamptz)`,
    [organizationId, model.templateId, model.event, JSON.stringify(events)],
  );
}

/** An id that is always the same for a run of an organization. */
const uuidOf = (organizationId: string, run: number) =>
  `${organizationId.slice(0, 24)}${String(run).padStart(12, '0')}`;

/** The events of the organization in the order of the feed, as run and sequence. */
async function placed(organizationId: string): Promise<string[]> {
  const rows = await app.provision.query<{ event: string; position: number }>(
    `select run_id || ' ' || sequence as event, position::int from events where organization_id = $1 order by position`,
    [organizationId],
  );
  return rows.map(({ event }) => event);
}

/** An organization with the process of one launched run. */
async function withRun(): Promise<TestOrganization> {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId);
  await must(org.api.call('events', 'list', {}));
  return org;
}

const place = (organizationId: string, limit?: number) =>
  inTransaction(app.database, (em) => placeEvents(em, organizationId, limit));

test('events that are placed in batches have the positions of those that are placed at once', async (t) => {
  const { organizationId } = await withRun();
  const plans = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 4 })), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(plans, fc.integer({ min: 1, max: 7 }), async (planned, limit) => {
      await app.provision.query('delete from events where organization_id = $1 and sequence > 1', [organizationId]);
      await addEvents(organizationId, planned);
      await place(organizationId, 1_000);
      const atOnce = await placed(organizationId);
      await app.provision.query('update events set position = null where organization_id = $1 and sequence > 1', [
        organizationId,
      ]);

      let left = planned.length;
      for (let hasMore = true; hasMore;) {
        const { position: before } = await endOfFeed(app.database.em.fork(), organizationId);
        const end = await place(organizationId, limit);
        t.is(end.position - before, Math.min(limit, left));
        left -= end.position - before;
        hasMore = end.unplacedSince !== null;
      }
      t.is(left, 0);
      const inBatches = await placed(organizationId);
      t.deepEqual(inBatches, atOnce);
      for (const ofRun of Map.groupBy(inBatches, (event) => event.split(' ')[0]).values()) {
        const sequences = ofRun.map((event) => Number(event.split(' ')[1]));
        t.deepEqual(
          sequences,
          sequences.toSorted((a, b) => a - b),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('a reader sees a backlog larger than a batch once and in order, and "now" skips it', async (t) => {
  const { api, organizationId } = await withRun();
  const first = await must(api.call('events', 'list', {}));
  const count = 4_500;
  const backlog = Array.from({ length: count }, (_, n): Planned => [Math.floor(n / 10) - count, Math.floor(n / 10)]);
  await addEvents(organizationId, backlog);

  const { after: cursor } = first;
  const listed: DeliveryPayload[] = [];
  const pages: number[] = [];
  for (let after = cursor, hasMore = true; hasMore;) {
    const page = await must(api.call('events', 'list', { query: { after, limit: 200 } }));
    listed.push(...page.data);
    pages.push(page.data.length);
    ({ after, hasMore } = page);
    if (pages.length === 1) {
      const { unplacedSince } = await endOfFeed(app.database.em.fork(), organizationId);
      t.not(unplacedSince, null, 'the first page places one batch');
    }
  }
  t.is(listed.length, count);
  t.deepEqual(
    listed.map(({ data }) => data.sequence),
    backlog.map((_, n) => n + 1),
  );

  await addEvents(
    organizationId,
    backlog.slice(0, 2_100).map(([minute, run]) => [minute, run + count] as const),
  );
  const now = await must(api.call('events', 'list', { query: { after: 'now' } }));
  t.like(now, { data: [], hasMore: false });
  t.deepEqual((await must(api.call('events', 'list', { query: { after: now.after } }))).data, []);
});

// Serial, because it places the events of the other tests' organizations, too.
test.serial('the job places the backlogs of all organizations, and stops when told to', async (t) => {
  const organizations = [await withRun(), await withRun()];
  for (const { organizationId } of organizations) {
    await addEvents(
      organizationId,
      Array.from({ length: 25 }, (_, n): Planned => [n, n % 3]),
    );
  }
  const ends = () =>
    Promise.all(organizations.map(async ({ organizationId }) => endOfFeed(app.database.em.fork(), organizationId)));
  const before = await ends();
  await placeAllEvents(app.database, AbortSignal.abort(), 10);
  t.deepEqual(await ends(), before);
  await placeAllEvents(app.database, new AbortController().signal, 10);
  t.deepEqual(
    await ends(),
    before.map(({ position }) => ({ position: position + 25, unplacedSince: null })),
  );
});
