import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { positionOf } from '../database/replica/positions.ts';
import {
  maximumLagMs,
  mismatchOf,
  readPrimaryState,
  readReplicaState,
  type PrimaryState,
  type ReplicaState,
} from '../database/replica/watch-replica.ts';
import { Problem } from './part.ts';

const stepMs = 4_000;
/** A replica has this time to reach what the primary had at the beginning. */
const catchUpMs = 3_000;
const intervalMs = 50;

/** Checks that a server is a replica of the database, and that it catches up with it. */
export async function checkReplica(readUrl: string, primaryUrl: string): Promise<string> {
  const [primary, replica] = [primaryUrl, readUrl].map(
    (connectionString) => new Client({ connectionString, connectionTimeoutMillis: stepMs, query_timeout: stepMs }),
  ) as [Client, Client];
  // The query that is in progress reports a lost connection.
  for (const client of [primary, replica]) client.on('error', () => {});
  try {
    await replica.connect();
    await primary.connect().catch((cause: Error) => {
      throw new Problem(`its primary cannot be reached (${cause.message})`, 'see the database above');
    });
    return await compare(primary, replica);
  } finally {
    await Promise.all([primary, replica].map((client) => client.end().catch(() => {})));
  }
}

async function compare(primary: Client, replica: Client): Promise<string> {
  const read = async <Row extends object>(client: Client, text: string) =>
    (await client.query<Row>(text)).rows[0] as Row;
  const began = performance.now();
  const wanted = await read<PrimaryState>(primary, readPrimaryState);
  const passed = () => performance.now() - began;
  for (;;) {
    const state = await read<ReplicaState>(replica, readReplicaState);
    const [what, remedy = ''] = mismatchOf(wanted, state)?.split('; ') ?? [];
    if (what !== undefined) throw new Problem(what, remedy);
    if (positionOf(state.replayed ?? '0/0') >= positionOf(wanted.position)) break;
    if (passed() > catchUpMs) {
      throw new Problem(
        `it is a replica of the database, but did not catch up within ${catchUpMs / 1_000} s`,
        'check that it receives and replays changes: pg_stat_replication on the primary, pg_is_wal_replay_paused() on it',
      );
    }
    await pause(intervalMs);
  }
  return `it is a replica of the database, and has what the primary had ${Math.ceil(passed())} ms ago; it is read while it is at most ${maximumLagMs / 1_000} s behind`;
}
