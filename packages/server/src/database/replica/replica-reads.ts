import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { withDeadline } from '../../deadline.ts';
import { withSetting } from '../../settings/database-schema.ts';
import { cutConnection, preparingClient } from '../connection/preparing-client.ts';
import { ownTimeouts, type Database, type Em } from '../database.ts';
import type { Tables } from '../tables.ts';
import { createCatchUp, replayedBy, type Send } from './caught-up.ts';
import { failingOver } from './failing-over.ts';
import {
  maximumLagMs,
  readPosition,
  readPrimaryState,
  readReplicaState,
  watchReplica,
  type PrimaryState,
  type ReplicaState,
  type ReplicaWatch,
} from './watch-replica.ts';

/** Where a statement or a transaction was sent. */
export type ReadSource = 'primary' | 'replica';

/** What one request reads. */
export interface Reading {
  /** Only for reading. What it reads contains everything that was committed before, unless the request accepts less. */
  readonly em: Em;
  /**
   * How many seconds ago at most the state was current that was read; null if it was the current one. A whole number,
   * to be called after reading.
   */
  ageSeconds(): number | null;
}

/** Reads at a replica. */
export interface ReplicaReads {
  readonly watch: Pick<ReplicaWatch, 'isInUse' | 'lagSeconds'>;
  /**
   * Begins the reads of a request. `maximumAgeSeconds` is how old the state may be, five seconds at most; null if it
   * must be the current one.
   */
  begin(maximumAgeSeconds: number | null): Reading;
  close(): Promise<void>;
}

/** What reads at a replica need. */
export interface ReplicaReadsParts {
  /** The URL of the replica. */
  readonly url: string;
  /** The URL of its primary. */
  readonly primaryUrl: string;
  /** How many connections reads use at most. */
  readonly poolSize: number;
  readonly database: Database;
  /** Called for each statement outside of a transaction, and for each transaction. */
  readonly count: (source: ReadSource) => void;
  readonly log: Logger;
}

/** How long the replica may take to say how far it is, beyond the wait for it to catch up. */
const responseMs = 800;

/** Opens the connections to a replica, and watches it. A replica that cannot be used is no error. */
export async function openReplicaReads({
  url,
  primaryUrl,
  poolSize,
  database,
  count,
  log,
}: ReplicaReadsParts): Promise<ReplicaReads> {
  const primary = await database.em.getConnection().getNativeClient();
  const open = (connectionString: string, max: number) => {
    const { types } = primary.options;
    const options = { ...ownTimeouts, connectionTimeoutMillis: 1_500, keepAlive: true, types };
    const pool = new Pool({ ...options, connectionString, Client: preparingClient(connectionString, () => {}), max });
    // Without a listener, the loss of an idle connection would end the process.
    return pool.on('error', () => {});
  };
  const replicaUrl = withSetting(url, 'default_transaction_read_only=on');
  const [replica, observer] = [open(replicaUrl, poolSize), open(replicaUrl, 1)];
  // Requests that wait for a connection of the database do not delay this.
  const positions = open(primaryUrl, 2);
  const active = new Set<PoolClient>();
  const catchUp = createCatchUp(async () => {
    const { position } = await readFrom<Pick<PrimaryState, 'position'>>(positions, readPosition);
    return position;
  });
  const watch = watchReplica({
    readPrimary: () => readFrom<PrimaryState>(positions, readPrimaryState),
    readReplica: () => readFrom<ReplicaState>(observer, readReplicaState),
    onSilence: (error) => {
      // Statements in progress fail now, and are repeated on the primary, instead of waiting for their time-out.
      for (const client of active) cutConnection(client, error);
    },
    log,
  });

  /** A connection to the replica if `isReady`, or null. */
  const checkOut = async (isReady: (send: Send) => Promise<boolean>): Promise<PoolClient | null> => {
    const client = await replica.connect().catch(() => null);
    if (client === null) return null;
    const send: Send = async (text) => (await client.query(text)).rows;
    const found = await withDeadline(responseMs, isReady(send), () => null).catch(() => null);
    if (found === true) return client;
    client.release(found === null);
    return null;
  };

  return {
    watch,
    begin: (maximumAgeSeconds) => {
      const maximumAgeMs = maximumAgeSeconds === null ? null : Math.min(maximumAgeSeconds * 1_000, maximumLagMs);
      let isDiverted = false;
      let ageMs: number | null = null;
      let seen = 0n;
      const isYoung = async (send: Send) => {
        const replayed = await replayedBy(send);
        // If the URL leads to several replicas, a request must not read an older state after a newer one.
        if (replayed === null || replayed < seen || maximumAgeMs === null) return false;
        const age = watch.ageOf(replayed);
        if (age > maximumAgeMs) return false;
        seen = replayed;
        ageMs = Math.max(ageMs ?? 0, age);
        return true;
      };
      const divert = () => {
        // A request does not return to the replica, where it could see an older state than before.
        isDiverted = true;
      };
      const toPrimary = async () => {
        divert();
        count('primary');
        return primary.connect();
      };
      const connect = async () => {
        const isReady = maximumAgeMs === null ? catchUp : isYoung;
        const client = isDiverted || !watch.isInUse() ? null : await checkOut(isReady);
        if (client === null) return toPrimary();
        count('replica');
        active.add(client);
        return failingOver(client, { onFailure: divert, toPrimary, onRelease: () => active.delete(client) });
      };
      const pool = { connect, end: async () => {} } as unknown as PostgresPool;
      const em = database.em.fork();
      // The ORM, and `getKysely`, send to the transaction of the entity manager, if there is one.
      em.setTransactionContext(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
      return { em, ageSeconds: () => (ageMs === null ? null : Math.ceil(ageMs / 1_000)) };
    },
    close: async () => {
      watch.stop();
      await Promise.all([replica, observer, positions].map((pool) => pool.end()));
    },
  };
}

async function readFrom<Row>(pool: Pool, text: string): Promise<Row> {
  return (await pool.query(text)).rows[0] as Row;
}
