import { until } from '@runward/testing/until';

const blockedByUs = `select pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`;

/** Waits until another transaction waits for a lock of this one; `query` runs a statement in this one and returns the rows. */
export async function untilOthersWait(query: (text: string) => Promise<readonly unknown[]>): Promise<void> {
  await until(async () => (await query(blockedByUs)).length > 0, 'a transaction that waits for this one');
}
