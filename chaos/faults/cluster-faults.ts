import { setTimeout as pause } from 'node:timers/promises';
import type { TestClamd } from '@runward/server/test-support/clamd';
import { countPending } from '../history/collect.ts';
import type { Cluster } from '../processes/cluster.ts';
import type { SupervisedProcess } from '../processes/supervised-process.ts';
import type { Fault } from './faults.ts';
import { killDuringMail, killsDuringJobs } from './mail-faults.ts';

/** The writes during which API processes are killed, and the maximum delay between write and kill, in milliseconds. */
const critical = [
  { name: 'upload file', withinMs: 400 },
  { name: 'confirm file', withinMs: 40 },
  { name: 'send content', withinMs: 400 },
  { name: 'delete file', withinMs: 30 },
  { name: 'send form', withinMs: 40 },
  { name: 'change member', withinMs: 30 },
  { name: 'create form link', withinMs: 60 },
  { name: 'revoke form link', withinMs: 30 },
];
const maxWaitMs = 4_000;

/** All faults of a cluster except those of the database. None of them affects the connection `databaseUrl`. */
export function faultsOf(cluster: Cluster, databaseUrl: string): Fault[] {
  const { apis, workers, receiver, mailServer, clients, clamd } = cluster;
  const killDuringScan = (worker: SupervisedProcess, scanner: TestClamd): Fault => ({
    kind: 'kill',
    target: worker.name,
    name: `kill -9 ${worker.name} during a scan`,
    // While clamd is suspended, every worker holds files sooner or later.
    moment: async () => {
      scanner.suspend();
      await untilScanning(databaseUrl, workers.length * 2);
    },
    inject: async () => {
      const killed = worker.kill();
      scanner.resume();
      await killed;
    },
  });
  return [
    ...critical.flatMap((write, index): Fault[] => {
      const api = apis[index % apis.length];
      if (!api) return [];
      const moment: Fault['moment'] = async (random) => {
        await clients.nextWrite(write.name, api.baseUrl, maxWaitMs);
        await pause(random.between(0, write.withinMs));
      };
      return [{ ...kill(api), name: `kill -9 ${api.name} during "${write.name}"`, moment }];
    }),
    ...restartsOf(cluster),
    ...workers.map(kill),
    ...workers.map((worker) => (clamd ? killDuringScan(worker, clamd) : kill(worker))),
    ...workers.map((worker) => killDuringMail(worker, mailServer)),
    ...workers.flatMap((worker) => killsDuringJobs(worker, databaseUrl)),
    {
      kind: 'outage',
      target: 'receiver',
      name: 'outage of a receiver',
      inject: async (random) => {
        receiver.send({ outage: true });
        await pause(random.between(5_000, 15_000));
        receiver.send({ outage: false });
      },
    },
    ...(clamd ? [outageOf(clamd)] : []),
  ];
}

function kill({ name, kill: inject }: SupervisedProcess): Fault {
  return { kind: 'kill', target: name, name: `kill -9 ${name}`, inject };
}

/** Stops each process in order, and starts it with the next version. */
export function restartsOf({ apis, workers }: Cluster): Fault[] {
  return [...apis, ...workers].map(({ name, replace: inject }) => ({
    kind: 'stop',
    target: name,
    name: `restart ${name}`,
    inject,
  }));
}

function outageOf(clamd: TestClamd): Fault {
  return {
    kind: 'outage',
    target: 'clamd',
    name: 'outage of clamd',
    inject: async (random) => {
      await clamd.kill();
      await pause(random.between(2_000, 6_000));
      await clamd.start();
    },
  };
}

/**
 * Waits until workers hold this many files, but only for some seconds. The database may be down as part of the chaos.
 */
async function untilScanning(databaseUrl: string, count: number): Promise<void> {
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await pause(50)) {
    const pending = await countPending(databaseUrl).catch(() => null);
    if (pending !== null && pending.scans >= count) return;
  }
}
