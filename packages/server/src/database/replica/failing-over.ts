import type { PoolClient } from 'pg';
import { codeOf, isCancelled, isUnstorable } from '../errors.ts';

/** A transaction of a replica failed. It can be repeated on the primary. */
class ReplicaFailure extends Error {
  override name = 'ReplicaFailure';
  /** The SQLSTATE of the cause. */
  readonly code: string;

  constructor(cause: unknown) {
    super('A transaction at the replica failed.', { cause });
    this.code = codeOf(cause);
  }
}

/** Runs a transaction, and once more if a replica failed meanwhile: then it begins on the primary. */
export function againAtPrimary<Result>(transact: () => Promise<Result>): Promise<Result> {
  return transact().catch((error: unknown) => {
    if (error instanceof ReplicaFailure) return transact();
    throw error;
  });
}

/** The part of a connection that queries use. */
export interface ReadingClient {
  query(text: string, values: readonly unknown[]): Promise<never>;
  release(): void;
}

/** What happens to the connections. */
export interface Diversion {
  /** Called when the replica has failed. */
  readonly onFailure: () => void;
  /** Returns a connection to the primary. Called at most once. */
  readonly toPrimary: () => Promise<PoolClient>;
  /** Called when the connection to the replica has been returned. */
  readonly onRelease: () => void;
}

/**
 * A connection to a replica that continues on the primary if a statement fails: the replica may have stopped, may have
 * cancelled the statement to replay a change, or may lack a table of a migration. Errors that the primary would return
 * as well stay errors: of values, and of statements that take too long. A transaction cannot continue elsewhere, so it
 * fails with a `ReplicaFailure`.
 */
export function failingOver(replica: PoolClient, { onFailure, toPrimary, onRelease }: Diversion): ReadingClient {
  let current: PoolClient | null = replica;
  let hasFailed = false;
  let isInTransaction = false;
  const release = () => {
    // The connection to a replica that has failed is not used again, because it may be what failed.
    current?.release(current === replica && hasFailed);
    if (current === replica) onRelease();
    current = null;
  };
  const send = async (text: string, values: readonly unknown[]) => (await current?.query(text, [...values])) as never;
  return {
    query: async (text, values) => {
      try {
        const result = await send(text, values);
        if (/^(begin|start transaction)\b/.test(text)) isInTransaction = true;
        return result;
      } catch (error) {
        if (current !== replica || isCancelled(error) || isUnstorable(error)) throw error;
        hasFailed = true;
        onFailure();
        if (isInTransaction) throw new ReplicaFailure(error);
        release();
        current = await toPrimary();
        return send(text, values);
      }
    },
    release,
  };
}
