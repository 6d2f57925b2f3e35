import { cellsVariable } from '@runward/testing/database';
import { until } from '@runward/testing/until';

const blockedByUs =
  process.env[cellsVariable] === 'true'
    ? 'select waiting_gpid from citus_lock_waits where blocking_gpid = citus_backend_gpid()'
    : 'select pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';

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
