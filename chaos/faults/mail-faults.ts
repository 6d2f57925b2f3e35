import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { query } from '../history/collect.ts';
import type { MailServerProcess } from '../processes/mail-server-process.ts';
import type { SupervisedProcess } from '../processes/supervised-process.ts';
import type { Fault } from './faults.ts';

const maxWaitMs = 8_000;

/** Kills a worker after the mail server has got all of a mail, before or after it answers. */
export function killDuringMail(worker: SupervisedProcess, mailServer: MailServerProcess): Fault {
  return {
    kind: 'kill',
    target: worker.name,
    name: `kill -9 ${worker.name} during a mail`,
    moment: () => mailServer.hold(worker.name, maxWaitMs),
    inject: async (random) => {
      if (random.next() < 0.3) {
        mailServer.release();
        await pause(random.between(0, 10));
      }
      const killed = worker.kill();
      mailServer.release();
      await killed;
    },
  };
}

/** A job of the service, and what it can be made to wait for. */
interface Interruption {
  readonly job: string;
  /** How a transaction keeps the job from going on. */
  readonly lock: string;
  /** What its statement that waits contains. */
  readonly statement: string;
}

const writing: Interruption = {
  job: 'mails.write',
  lock: 'lock table notifications in exclusive mode',
  statement: 'notifications',
};
/** Each overdue task and each reminder is written with its event. All other changes of runs wait, too. */
const detecting: Interruption = {
  job: 'runs.detect-overdue',
  lock: 'lock table events in exclusive mode',
  statement: 'activity',
};

/** Kills a worker in the middle of the jobs that write mails, and that detect reminders and overdue tasks. */
export function killsDuringJobs(worker: SupervisedProcess, databaseUrl: string): Fault[] {
  return [writing, detecting].map(({ job, lock, statement }): Fault => {
    let holder: Client | null = null;
    return {
      kind: 'kill',
      target: worker.name,
      name: `kill -9 ${worker.name} during ${job}`,
      moment: async () => {
        await untilDue(databaseUrl, job).catch(() => {});
        holder = await hold(databaseUrl, lock).catch(() => null);
        await untilWaiting(databaseUrl, worker.name, statement).catch(() => {});
      },
      inject: async () => {
        await worker.kill();
        await holder?.end().catch(() => {});
      },
    };
  });
}

/** Waits until the job is about to run. The database may be down as part of the chaos. */
async function untilDue(databaseUrl: string, job: string): Promise<void> {
  const [next] = await query<{ ms: number | null }>(
    databaseUrl,
    'select extract(epoch from next_run_at - now())::float8 * 1000 as ms from agenda_jobs where name = $1',
    [job],
  );
  await pause(Math.max(0, (next?.ms ?? 0) - 200));
}

/** Begins a transaction with a lock, which lasts until the connection ends. */
async function hold(databaseUrl: string, lock: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query(lock);
  return client;
}

/** Waits until a statement of a worker waits for a lock. */
async function untilWaiting(databaseUrl: string, worker: string, statement: string): Promise<void> {
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await pause(20)) {
    const waiting = await query(
      databaseUrl,
      `select 1 from pg_stat_activity
      where application_name = $1 and wait_event_type = 'Lock' and position($2 in query) > 0`,
      [worker, statement],
    );
    if (waiting.length > 0) return;
  }
}
