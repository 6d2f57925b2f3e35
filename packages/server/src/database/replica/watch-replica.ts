import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withDeadline } from '../../deadline.ts';
import { positionOf, rememberPositions } from './positions.ts';

/**
 * What identifies the database that the tables of a connection are in. It is the same on a primary and its replicas.
 */
interface Identity {
  readonly cluster: string;
  readonly database: number;
  readonly schema: number | null;
}

/** The primary at one moment. */
export interface PrimaryState extends Identity {
  /** Where everything is that others can see, in the write-ahead log. */
  readonly position: string;
}

/** The replica at one moment. */
export interface ReplicaState extends Identity {
  readonly isReplica: boolean;
  /** Up to where it has replayed the write-ahead log; null if it never was a replica. */
  readonly replayed: string | null;
}

const identity = `(select system_identifier::text from pg_control_system()) as cluster,
  (select oid::int from pg_database where datname = current_database()) as database,
  current_schema()::regnamespace::oid::int as schema`;

/**
 * The position of the primary. A commit is visible once its record is on the disk, except without synchronous commits:
 * then it may not even have been written. The position of what is written is of no use otherwise, because something
 * that nobody waits for can stay there for seconds until a replica gets it.
 */
export const readPosition = `select case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as position`;

/** Reads a `PrimaryState`. */
export const readPrimaryState = `${readPosition}, ${identity}`;

/** Reads a `ReplicaState`. */
export const readReplicaState = `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn()::text as replayed, ${identity}`;

/** How a replica can be read. */
export interface ReplicaWatch {
  /** Whether requests may read there. */
  isInUse(): boolean;
  /** How far it is behind the primary, in seconds, as of the last look; null if that is unknown. */
  lagSeconds(): number | null;
  /** How many milliseconds ago at most a state that was replayed up to here was the current one. */
  ageOf(replayed: bigint): number;
  stop(): void;
}

/** What a watch needs. */
export interface WatchedParts {
  readonly readPrimary: () => Promise<PrimaryState>;
  readonly readReplica: () => Promise<ReplicaState>;
  /** Called when the replica does not respond. */
  readonly onSilence: (error: Error) => void;
  readonly log: Logger;
}

/** A replica that is further behind is left out. */
export const maximumLagMs = 5_000;
const intervalMs = 1_000;
const timeoutMs = 1_500;

/**
 * Looks every second whether a replica can be read: whether it responds, is a replica of this database, and is at most
 * five seconds behind. Its lag is the age of the oldest position of the primary that it has not reached. The time of
 * its last transaction would not do: it is long ago if the primary is idle, and says nothing while nothing arrives.
 */
export function watchReplica({ readPrimary, readReplica, onSilence, log }: WatchedParts): ReplicaWatch {
  const positions = rememberPositions();
  const stopped = new AbortController();
  const now = () => performance.now();
  let problem: string | null = 'it was not looked at yet';
  let isFirst = true;
  let lagMs: number | null = null;

  /** What it found: why the replica is left out, and how far it is behind. */
  const find = async (): Promise<{ problem: string | null; lagMs?: number }> => {
    const at = now();
    const before = await withDeadline(
      timeoutMs,
      readPrimary().catch(() => null),
      () => null,
    );
    // Requests fail without the primary, wherever they read.
    if (before === null) return { problem: 'the primary does not respond, so its lag is unknown' };
    positions.note(at, positionOf(before.position));
    const state = await withDeadline(timeoutMs, readReplica(), () => {
      throw new Error(`no response within ${timeoutMs / 1_000} s`);
    }).catch((error: Error) => error);
    if (state instanceof Error) {
      onSilence(state);
      return { problem: `it does not respond (${state.message})` };
    }
    const mismatch = mismatchOf(before, state);
    if (mismatch !== null) return { problem: mismatch };
    const replayed = positionOf(state.replayed ?? '0/0');
    if (replayed > positionOf(before.position) && replayed > positionOf((await readPrimary()).position)) {
      return { problem: 'it has changes that the primary does not have; build it anew from the primary' };
    }
    const behind = positions.lagOf(replayed, now());
    return { problem: behind > maximumLagMs ? `it is ${Math.round(behind / 1_000)} s behind` : null, lagMs: behind };
  };
  const look = async () => {
    const { problem: found, lagMs: behind = null } = await find().catch((error: Error) => {
      return { problem: `it could not be examined (${error.message})`, lagMs: undefined };
    });
    if (stopped.signal.aborted) return;
    lagMs = behind;
    if (found === null && problem !== null) log.info('reads go to the replica');
    // How far it is behind changes every second.
    if (found !== null && (problem === null || isFirst))
      log.warn(`reads go to the primary, not to the replica: ${found}`);
    isFirst = false;
    problem = found;
  };
  void (async () => {
    while (!stopped.signal.aborted) {
      await look();
      await pause(intervalMs, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  })();
  return {
    isInUse: () => problem === null,
    lagSeconds: () => (lagMs === null ? null : lagMs / 1_000),
    ageOf: (replayed) => positions.ageOf(replayed, now()),
    stop: () => stopped.abort(),
  };
}

/** Why a server is no replica of the database, as a clause; null if it is one. */
export function mismatchOf(primary: Identity, state: ReplicaState): string | null {
  if (state.cluster !== primary.cluster)
    return `it belongs to another cluster (${state.cluster}, not ${primary.cluster}); give the URL of a replica of DATABASE_URL`;
  if (state.database !== primary.database || state.schema !== primary.schema)
    return 'it is another database of the same cluster; give the same name as in DATABASE_URL';
  if (!state.isReplica) return 'it is no replica but a primary; give the URL of a replica of DATABASE_URL';
  return null;
}
