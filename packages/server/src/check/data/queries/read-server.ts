import { statement } from '../../../database/statement.ts';

/** The time of PostgreSQL, in milliseconds since 1970. */
export const readClock = statement<{ ms: number }>(
  'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
);

/** The values of settings, as the user of the service has them. `$1` are their names. */
export const readSettings = statement<{ name: string; setting: string }>(
  'select name, setting from pg_settings where name = any($1)',
);

/** How many connections the user of the service may have at most, and how many there are. */
export const readConnections = statement<{ limit: number; used: number }>(`
  select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int,
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as limit,
    (select sum(numbackends)::int from pg_stat_database) as used`);

/**
 * A replica that is attached. The user of the service may not be allowed to see more than that: `state` is then null.
 */
export interface Replica {
  readonly name: string;
  readonly state: string | null;
  /** How long ago what it has replayed last was written; null if it has replayed everything. */
  readonly seconds: number | null;
}

/** The replicas that are attached to this PostgreSQL. */
export const readReplicas = statement<Replica>(`
  select coalesce(nullif(application_name, ''), pid::text) as name, state,
    extract(epoch from replay_lag)::float8 as seconds
  from pg_stat_replication order by 1`);

/** A replication slot that nobody reads, and the bytes of the write-ahead log that it keeps. */
export interface UnreadSlot {
  readonly name: string;
  readonly bytes: number;
}

/** The replication slots that nobody reads. */
export const readUnreadSlots = statement<UnreadSlot>(`
  select slot_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as bytes
  from pg_replication_slots where not active and restart_lsn is not null order by 1`);

/**
 * The size of the database in bytes, and the folder of its files. The folder is null if it is on another machine, or if
 * the user of the service may not see it.
 */
export const readStorage = statement<{ bytes: number; folder: string | null }>(`
  select pg_database_size(current_database())::float8 as bytes, (
    select setting from pg_settings
    where name = 'data_directory' and inet_server_addr() is not distinct from inet_client_addr()) as folder`);
