import { Problem, Warning } from '../part.ts';
import type { DataContext } from './context.ts';
import { inBytes } from './in-bytes.ts';
import { readReplicas, readUnreadSlots, type Replica, type UnreadSlot } from './queries/read-server.ts';

const warnSeconds = 10;
const worstSeconds = 300;
const mostKept = 2 ** 30;

/** Checks how far the replicas of the database are behind it, if there are any. */
export async function checkReplicas({ read }: DataContext): Promise<string> {
  const found = await read(async (em) => [await readReplicas(em), await readUnreadSlots(em)] as const);
  return judgeReplicas(...found);
}

/** Throws if a replica is far behind, or if the write-ahead log is kept for one that does not read it. */
export function judgeReplicas(replicas: readonly Replica[], slots: readonly UnreadSlot[]): string {
  const secondsOf = ({ state, seconds }: Replica) => (state === null ? 0 : (seconds ?? 0));
  const [slowest] = replicas.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const late = slowest && secondsOf(slowest);
  if (slowest !== undefined && late !== undefined && late > warnSeconds) {
    const what = `${slowest.name} is ${Math.round(late)} s behind`;
    const remedy = 'check the network to it, its disk, and long queries on it';
    throw late > worstSeconds ? new Problem(what, remedy) : new Warning(what, remedy);
  }
  const stopped = replicas.find(({ state }) => state !== null && state !== 'streaming');
  if (stopped !== undefined) {
    throw new Warning(`${stopped.name} does not follow yet: its state is ${stopped.state}`, 'see its log');
  }
  const unread = slots.find(({ bytes }) => bytes > mostKept);
  if (unread !== undefined) {
    throw new Warning(
      `${inBytes(unread.bytes)} of the write-ahead log are kept for the replication slot ${unread.name}, which nobody reads`,
      'attach its replica again, or drop the slot before the disk is full',
    );
  }
  if (replicas.length === 0) return 'none is attached';
  if (replicas.every(({ state }) => state === null)) {
    return `${replicas.length} attached; their lag is visible to members of pg_monitor only`;
  }
  return `${replicas.length} attached, at most ${Math.round(late ?? 0)} s behind`;
}
