import { cellsVariable } from '@runward/testing/database';
import { until } from '@runward/testing/until';
import type { Client } from 'pg';

const blockedByUs =
  process.env[cellsVariable] === 'true'
    ? 'select waiting_gpid from citus_lock_waits where blocking_gpid = citus_backend_gpid()'
    : 'select pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';

const behindThose =
  process.env[cellsVariable] === 'true'
    ? `select next.waiting_gpid from citus_lock_waits next
       where next.blocking_gpid in (select waiting_gpid from citus_lock_waits where blocking_gpid = citus_backend_gpid())`
    : `select next.pid from pg_locks next join pg_locks first on first.pid = any (pg_blocking_pids(next.pid))
       where not next.granted and not first.granted and pg_backend_pid() = any (pg_blocking_pids(first.pid))`;

/**
 * Waits until `count` other transactions wait for a lock of this one; `query` runs a statement in this one and returns
 * the rows.
 */
export async function untilOthersWait(query: (text: string) => Promise<readonly unknown[]>, count = 1): Promise<void> {
  await until(
    async () => (await query(blockedByUs)).length >= count,
    `${count} other transactions to wait for this one`,
  );
}

/** Waits until another transaction waits for a lock of one that itself waits for this connection's transaction. */
export async function untilOthersQueue(client: Client): Promise<void> {
  await until(async () => (await client.query(behindThose)).rows.length > 0, 'a transaction behind one that waits');
}
