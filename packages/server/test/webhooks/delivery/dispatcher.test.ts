import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import { Client } from 'pg';
import { pino } from 'pino';
import type { OutboundResult, OutboundHttp } from '../../../src/adapters/outbound-http.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox(test);

const fine: OutboundResult = {
  statusCode: 200,
  retryAfterSeconds: null,
  body: '',
  error: null,
  timedOut: false,
  durationMs: 1,
};

/** An outbound client controlled by a test. */
function outboundOf(post: OutboundHttp['post'], close = async () => {}): OutboundHttp {
  return { ensureAllowed: async () => {}, post, close };
}

test.serial('a notification sends due deliveries immediately', async (t) => {
  await using receiver = await startReceiver();
  const dispatcher = outbox.dispatcher();
  const webhook = await outbox.webhook(receiver.url);
  await outbox.events(webhook, 1);
  await dispatcher.tick();

  await outbox.events(webhook, 1);
  for (let call = 0; call < 100; call += 1) dispatcher.notify();
  t.is((await receiver.wait(2)).length, 2);
});

test.serial('a slow receiver gets five deliveries at a time and delays no other', async (t) => {
  await using slow = await startReceiver(() => () => {});
  await using quick = await startReceiver();
  const slowId = await outbox.webhook(slow.url);
  const quickId = await outbox.webhook(quick.url);
  await outbox.events(slowId, 30);
  const dispatcher = outbox.dispatcher();
  dispatcher.notify();
  await slow.wait(5);

  await outbox.events(quickId, 30);
  dispatcher.notify();
  await quick.wait(30);
  t.is(slow.received.length, 5);
});

test.serial('however many slow receivers two organizations have, those of another one get deliveries', async (t) => {
  const slow = 'http://127.0.0.1/slow';
  const sent: string[] = [];
  const stopping = new AbortController();
  const outbound = outboundOf(
    async (url) => {
      sent.push(url);
      if (url === slow) await pause(60_000, undefined, { signal: stopping.signal }).catch(() => {});
      return fine;
    },
    async () => stopping.abort(),
  );
  for (const organizationId of [outbox.organizationId, await outbox.organization()]) {
    for (let n = 0; n < 50; n += 1) {
      await outbox.events(await outbox.webhook(slow, { organizationId }), 5, { organizationId });
    }
  }
  const dispatcher = outbox.dispatcher({ outbound });
  dispatcher.notify();
  await until(() => sent.length >= 50, 'the slow attempts');

  const organizationId = await outbox.organization();
  for (const url of ['http://127.0.0.1/a', 'http://127.0.0.1/b']) {
    const webhook = await outbox.webhook(url, { organizationId });
    for (let n = 0; n < 3; n += 1) {
      await outbox.events(webhook, 10, { organizationId });
      dispatcher.notify();
      await until(() => sent.filter((each) => each === url).length === 10 * (n + 1), `the deliveries to ${url}`);
    }
  }
  const ofSlow = sent.filter((url) => url === slow).length;
  t.true(ofSlow < 100, `${ofSlow} slow attempts`);
});

test.serial(
  'at most fifty attempts are in progress, the first of every webhook before the second of any',
  async (t) => {
    const webhooks = await Promise.all(Array.from({ length: 30 }, (_, n) => outbox.webhook(`http://127.0.0.1/${n}`)));
    for (const id of webhooks) await outbox.events(id, 4);
    const sent: string[] = [];
    const release = new AbortController();
    let now = 0;
    let peak = 0;
    const outbound = outboundOf(async (url) => {
      sent.push(url);
      peak = Math.max(peak, (now += 1));
      await pause(60_000, undefined, { signal: release.signal }).catch(() => {});
      now -= 1;
      return fine;
    });
    const dispatcher = outbox.dispatcher({ outbound });
    const done = dispatcher.tick();
    await until(() => sent.length === 50, '50 attempts');
    t.is(new Set(sent).size, 30);
    release.abort();
    await done;
    t.is(sent.length, 120);
    t.is(peak, 50);
    t.true((await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'));
  },
);

test.serial('several dispatchers send each delivery once', async (t) => {
  await using receiver = await startReceiver();
  const dispatchers = Array.from({ length: 4 }, () => outbox.dispatcher());
  const work = () => Promise.all(dispatchers.map((dispatcher) => dispatcher.tick()));
  // With every connection open, both claim at the same time.
  await work();
  for (let n = 0; n < 20; n += 1) await outbox.events(await outbox.webhook(receiver.url), 20);
  await work();

  await until(async () => {
    // A webhook that was given back for another worker is leased at its next poll.
    await work();
    return (await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED');
  }, 'all');
  const ids = receiver.received.map(({ body }) => (JSON.parse(body) as { deliveryId: string }).deliveryId);
  t.is(ids.length, 400);
  t.is(new Set(ids).size, 400);
});

test.serial('a worker that reads the next deliveries while it sends the last ones sends each once', async (t) => {
  const sent: string[] = [];
  const outbound = outboundOf(async (_url, headers) => {
    sent.push(headers['webhook-id'] ?? '');
    await pause(1);
    return fine;
  });
  const ids = await outbox.events(await outbox.webhook('http://127.0.0.1/'), 450);
  await outbox.dispatcher({ outbound }).tick();
  t.deepEqual(sent.toSorted(), ids.toSorted());
  t.true((await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'));
});

test.serial('several workers together send five deliveries of a webhook at a time', async (t) => {
  let [inProgress, most] = [0, 0];
  const outbound = outboundOf(async () => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    await pause(20);
    inProgress -= 1;
    return fine;
  });
  const workers = Array.from({ length: 3 }, () => outbox.dispatcher({ outbound }));
  const webhook = await outbox.webhook('http://127.0.0.1/');
  await outbox.events(webhook, 60);
  await until(async () => {
    await Promise.all(workers.map((worker) => worker.tick()));
    return (await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED');
  }, 'all');
  t.is(most, 5);
});

test.serial('a worker sends to more webhooks than it holds at once', async (t) => {
  const sent = new Set<string>();
  const outbound = outboundOf(async (url) => {
    sent.add(url);
    return fine;
  });
  for (let n = 0; n < 120; n += 1) await outbox.events(await outbox.webhook(`http://127.0.0.1/${n}`), 2);
  const worker = outbox.dispatcher({ outbound });
  await worker.tick();
  t.is(sent.size, 120);
  t.true((await outbox.deliveries()).every(({ status }) => status === 'SUCCEEDED'));
});

test.serial('a worker whose lease has expired cannot record its result', async (t) => {
  const [id = ''] = await outbox.events(await outbox.webhook('http://127.0.0.1/'), 1);
  const zombie = Promise.withResolvers<OutboundResult>();
  let taken = false;
  const first = outbox.dispatcher({
    outbound: outboundOf(() => {
      taken = true;
      return zombie.promise;
    }),
  });
  const end = first.tick();
  await until(() => taken, 'the first claim');

  const second = outbox.dispatcher({ outbound: outboundOf(async () => fine) });
  await second.tick();
  t.like(await outbox.delivery(id), { status: 'PENDING', attempts: [] });
  await until(async () => {
    // The first worker may have extended its lease again before the second one looks.
    await outbox.expireLeases();
    await second.tick();
    return (await outbox.delivery(id)).status !== 'PENDING';
  }, 'the second claim');
  const written = await outbox.delivery(id);
  t.like(written, { status: 'SUCCEEDED' });
  t.is(written.attempts.length, 1);

  zombie.resolve({ ...fine, statusCode: 410 });
  await end;
  t.deepEqual(await outbox.delivery(id), written);
  t.like(await outbox.readWebhook(written.webhookId), { enabled: true, failingSince: null });
});

test.serial('deliveries claimed by a crashed worker are sent after its lease expires', async (t) => {
  await using receiver = await startReceiver();
  const ids = await outbox.events(await outbox.webhook(receiver.url), 5);
  let claimed = 0;
  // Attempts end only when the dispatcher is stopped after the test.
  const cut = Promise.withResolvers<OutboundResult>();
  const own = await openDatabase(outbox.databaseUrl, { poolSize: 1 });
  const crashed = outbox.dispatcher({
    database: own,
    leaseSeconds: 0.3,
    outbound: outboundOf(
      () => {
        claimed += 1;
        return cut.promise;
      },
      async () => cut.resolve({ ...fine, error: 'cut' }),
    ),
  });
  crashed.notify();
  await until(() => claimed === 5, 'the claims');
  // Without its database, the worker can neither extend its lease nor record anything.
  await own.close();
  const rescuer = outbox.dispatcher();
  await until(async () => {
    await rescuer.tick();
    return receiver.received.length === 5;
  }, 'the rescue');
  for (const id of ids) t.like(await outbox.delivery(id), { status: 'SUCCEEDED' });
});

test.serial(
  'stopping waits for attempts that end soon, returns the others to the queue, and claims no more',
  async (t) => {
    await using slow = await startReceiver(() => (response) => setTimeout(() => response.writeHead(200).end(), 300));
    await using hanging = await startReceiver(() => () => {});
    const [nearly = ''] = await outbox.events(await outbox.webhook(slow.url), 1);
    const [rest = ''] = await outbox.events(await outbox.webhook(hanging.url), 1);
    const dispatcher = outbox.dispatcher();
    dispatcher.notify();
    await Promise.all([slow.wait(1), hanging.wait(1)]);

    const stopped = dispatcher.stop();
    const [late = ''] = await outbox.events(await outbox.webhook(slow.url), 1);
    dispatcher.notify();
    await stopped;
    t.like(await outbox.delivery(nearly), { status: 'SUCCEEDED' });
    const given = await outbox.delivery(rest);
    t.like(given, { status: 'PENDING', attempts: [] });
    t.true((given.nextAttemptAt?.getTime() ?? Infinity) <= Date.now() + 1_000);
    t.like(await outbox.delivery(late), { status: 'PENDING', attempts: [] });
  },
);

test.serial('losing the database connections fails one claim, not the dispatcher', async (t) => {
  await using receiver = await startReceiver();
  const webhook = await outbox.webhook(receiver.url);
  const errors: unknown[] = [];
  const log = pino({ level: 'error' }, { write: (line) => errors.push(line) });
  const dispatcher = outbox.dispatcher({ log });
  await outbox.database.em.fork().execute('alter table webhook_deliveries rename to elsewhere');
  await dispatcher.tick();
  t.is(errors.length, 1);
  await outbox.database.em.fork().execute('alter table elsewhere rename to webhook_deliveries');

  const admin = new Client({ connectionString: outbox.databaseUrl });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
  // Each of the five pooled connections may fail once.
  for (let attempt = 0; attempt < 6; attempt += 1) {
    if (await outbox.events(webhook, 1).catch(() => null)) break;
  }
  // PostgreSQL may still be ending some of them.
  await until(async () => {
    await dispatcher.tick();
    return receiver.received.length > 0;
  }, 'the delivery');
  t.is(receiver.received.length, 1);
});
