import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { createDatabase } from '@runward/testing/database';
import { startProxy, type TcpProxy } from '@runward/testing/tcp-proxy';
import { runChaos } from '../chaos-run.ts';
import { check } from '../checker/check.ts';
import { startCluster, type Cluster } from '../cluster.ts';
import { readRemaining } from '../collect.ts';
import type { Fault } from '../faults.ts';
import { counts } from '../report.ts';

const fewInFlight = 2;
const retrySchedule = '0s,1s,1s,1s,1s';

// Smaller than `npm run chaos`: PostgreSQL is not restarted; instead, connections to it are dropped, refused and stalled. The run does not
// wait for the lease of the killed worker (60 s): deliveries blocked by it are not checked, so the worker is killed when it holds few. Most
// deadlines are detected by the next change to their run, few by the scheduler; none is left when the clients stop.
test('a short chaos run violates no promise', async (t) => {
  t.timeout(180_000);
  const seed = Math.floor(Math.random() * 1_000_000);
  await using started = new AsyncDisposableStack();
  const { url, drop } = await createDatabase();
  started.defer(drop);
  const proxied = new URL(url);
  const proxy = started.use(await startProxy(proxied.hostname, Number(proxied.port)));
  proxied.port = String(proxy.port);
  const folder = await mkdtemp(join(tmpdir(), 'runward-chaos-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const cluster = await startCluster({
    databaseUrl: proxied.href,
    folder,
    seed,
    apis: 1,
    workers: 2,
    retrySchedule,
    started,
  });

  const { history, end } = await runChaos(cluster, faultsOf(cluster, proxy, url), {
    seed,
    durationMs: 60_000,
    maxRounds: 1,
    clients: 5,
    maxPauseMs: 2_000,
    databaseUrl: url,
    attempts: retrySchedule.split(',').length,
    maxSettleMs: 30_000,
    awaitLeases: false,
    log: (line) => t.log(line),
  });
  const verdict = check(history, end);
  t.log(`seed ${seed}`, ...counts(history, cluster.clients.sent(), verdict));
  t.deepEqual(verdict.violations, []);
  const injected = history.faults.map(({ kind }) => kind).sort();
  t.deepEqual(injected, ['kill', 'kill', 'outage', 'restart', 'restart', 'stall', 'stop']);
  t.true(history.events.length > 10);
  const pending = history.deliveries.filter(({ status }) => status === 'PENDING');
  t.log(
    `${pending.length} deliveries are blocked by the killed worker, which holds ${pending.filter(({ isLeased }) => isLeased).length}`,
  );
});

function faultsOf({ apis, workers, receiver }: Cluster, proxy: TcpProxy, databaseUrl: string): Fault[] {
  const [killed, replaced] = workers;
  if (!killed || !replaced) throw new Error('The test needs two workers.');
  const during = (begin: () => void, ms: number, end: () => void) => async () => {
    begin();
    await pause(ms);
    end();
  };
  const connection = (kind: 'restart' | 'stall', name: string, inject: () => Promise<void>): Fault => {
    return { kind, target: 'PostgreSQL', name, inject };
  };
  return [
    ...apis.map(({ name, kill }): Fault => ({ kind: 'kill', target: name, name: `kill -9 ${name}`, inject: kill })),
    {
      kind: 'kill',
      target: killed.name,
      name: `kill -9 ${killed.name}`,
      inject: async () => {
        await untilFewLeases(databaseUrl);
        await killed.kill();
      },
    },
    { kind: 'stop', target: replaced.name, name: `replace ${replaced.name}`, inject: replaced.replace },
    connection('restart', 'drop connections', async () => proxy.drop()),
    connection('restart', 'refuse connections', during(proxy.cut, 1_000, proxy.restore)),
    connection('stall', 'stall connections', during(proxy.freeze, 1_500, proxy.restore)),
    {
      kind: 'outage',
      target: 'receiver',
      name: 'outage of a receiver',
      inject: during(
        () => receiver.send({ outage: true }),
        1_500,
        () => receiver.send({ outage: false }),
      ),
    },
  ];
}

/** Waits up to 10 s until no webhook has many leased deliveries, because those of a killed worker block the others. */
async function untilFewLeases(databaseUrl: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(20)) {
    const { deliveries } = await readRemaining(databaseUrl);
    const leased = Map.groupBy(
      deliveries.filter(({ isLeased }) => isLeased),
      ({ webhookId }) => webhookId,
    );
    if ([...leased.values()].every((ofWebhook) => ofWebhook.length <= fewInFlight)) return;
  }
}
