import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@runward/sdk';
import { hasClamd, prepareClamd, type TestClamd } from '@runward/server/test-support/clamd';
import { until } from '@runward/testing/until';
import { query } from '../history/collect.ts';
import type { Exit } from '../history/process-history.ts';
import { newApprover, type Owner } from '../workloads/approver.ts';
import { createClients, type Clients } from '../workloads/client.ts';
import { addMailMembers } from '../workloads/mail-members.ts';
import { unlimited, type Pace } from '../workloads/pace.ts';
import { prepare, type Template } from '../workloads/prepare.ts';
import { startMailServer, type MailServerProcess } from './mail-server-process.ts';
import { startReceiver, type ReceiverProcess } from './receiver-process.ts';
import { startSupervised, type SupervisedProcess } from './supervised-process.ts';

/** The processes of a chaos run except PostgreSQL, and the clients that use them. */
export interface Cluster {
  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  readonly receiver: ReceiverProcess;
  readonly mailServer: MailServerProcess;
  readonly clients: Clients;
  readonly template: Template;
  /** The owner of the organization. */
  readonly owner: Owner;
  /** The key of the clients. */
  readonly apiKey: string;
  /** The virus scanner. Null if this machine has none; files are then not scanned. */
  readonly clamd: TestClamd | null;
  /** Grows each time a process of the service ends. */
  readonly exits: readonly Exit[];
}

/** How a cluster is started. */
export interface ClusterOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seed: number;
  readonly retrySchedule: string;
  /** The folders of the repositories whose code processes run: half of them begins with the second one. */
  readonly versions: readonly string[];
  /** Options of Node itself for the processes of the service, and further environment variables. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** When clients send requests. Default: at once. */
  readonly pace?: Pace;
  /** Takes everything that has to be stopped, however the run ends. */
  readonly started: AsyncDisposableStack;
}

/** Starts the processes of the service and the receivers, and publishes the template for the clients. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { databaseUrl, folder, seed, retrySchedule, versions, flags = [], pace = unlimited, started } = options;
  const receiver = started.use(await startReceiver(folder, seed));
  const mailServer = started.use(await startMailServer(folder, seed));
  const clamd = hasClamd ? started.use(await prepareClamd()) : null;
  await clamd?.start();
  const exits: Exit[] = [];
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    ...(clamd && { CLAMAV_URL: clamd.url }),
    WEBHOOK_ALLOW_LOCAL: 'true',
    WEBHOOK_RETRY_SCHEDULE: retrySchedule,
    RATE_LIMIT_WRITES_PER_MINUTE: '10000000',
    RATE_LIMIT_READS_PER_MINUTE: '10000000',
    // People with form links come from different addresses, so that revoked links do not count as guessing.
    TRUST_PROXY: '1',
    MAIL_FROM: 'Runward <runward@example.com>',
    MAIL_DELAY_SECONDS: '2',
    LIMIT_MAILS_PER_MEMBER: '100000',
    LIMIT_MAILS_PER_ORGANIZATION: '100000',
    ...options.env,
  };
  const start = async (role: SupervisedProcess['role']) => {
    const processes: SupervisedProcess[] = [];
    for (const number of [1, 2]) {
      const name = `${role} ${number}`;
      // Faults recognize the connections of a process by its name.
      const own = { ...env, PGAPPNAME: name, SMTP_URL: mailServer.urlFor(name) };
      const process = await startSupervised({
        name,
        role,
        env: own,
        versions: number % 2 === 0 ? versions.toReversed() : versions,
        flags,
        folder,
        onExit: (exit) => exits.push(exit),
      });
      started.defer(() => process.stop());
      processes.push(process);
    }
    return processes;
  };
  const apis = await start('api');
  const workers = await start('worker');
  await Promise.all([...apis, ...workers].map((process) => process.ready()));
  // Members are notified of what happens from now on.
  await until(async () => (await query(databaseUrl, 'select 1 from notification_cursors')).length > 0, 'a cursor');

  const credentials = await readFile(join(folder, 'credentials.json'), 'utf8');
  const { apiKey, signingSecret, ...owner } = JSON.parse(credentials) as Owner &
    Record<'apiKey' | 'signingSecret', string>;
  receiver.send({ secret: signingSecret });
  const baseUrl = apis[0]?.baseUrl ?? '';
  const approver = await newApprover(baseUrl, owner);
  const members = await addMailMembers(baseUrl, owner);
  const template = await prepare(createClient({ apiKey, baseUrl }), receiver.url, approver.id, members);
  const clients = createClients({ apis, apiKey, approverKey: approver.key, folder, pace });
  return { apis, workers, receiver, mailServer, clients, template, owner, apiKey, clamd, exits };
}
