import { setTimeout as pause } from 'node:timers/promises';
import { batch } from '../batch.ts';
import { positionOf } from './positions.ts';

/** Sends a statement without parameters and returns its rows. */
export type Send = (text: string) => Promise<readonly Record<string, unknown>[]>;

const readReplayed = 'select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn()::text as replayed';

/** Up to where a replica has replayed the write-ahead log; null if it is no replica any more. */
export async function replayedBy(send: Send): Promise<bigint | null> {
  const [row] = await send(readReplayed);
  return row?.['isReplica'] === true && typeof row['replayed'] === 'string' ? positionOf(row['replayed']) : null;
}

/** Waits until a replica has what the primary had when the call began. Returns false if it takes too long. */
export type CatchUp = (send: Send) => Promise<boolean>;

const patienceMs = 200;
const firstPauseMs = 2;

/**
 * Makes the wait. `readPosition` returns where the primary is; calls at the same time share it. After a wait in vain,
 * calls do not wait until the replica has caught up once, because each would wait in vain.
 */
export function createCatchUp(readPosition: () => Promise<string>): CatchUp {
  let isPatient = true;
  const position = batch<null, bigint>(
    async (calls) => {
      const found = positionOf(await readPosition());
      return calls.map(() => found);
    },
    { atATime: 4 },
  );
  return async (send) => {
    const wanted = await position(null);
    const end = performance.now() + (isPatient ? patienceMs : 0);
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const replayed = await replayedBy(send);
      if (replayed === null) return false;
      isPatient = replayed >= wanted || performance.now() < end;
      if (replayed >= wanted) return true;
      if (!isPatient) return false;
      await pause(Math.min(pauseMs, 20));
    }
  };
}
