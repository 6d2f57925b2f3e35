import type { RequestContext, Work } from '../access/request-context.ts';

/** What a handler may schedule to run after its transaction. */
export type Scheduling = Pick<RequestContext, 'wake' | 'afterCommit' | 'afterRollback'>;

/** Collects the work that a handler schedules, and runs it after the transaction. */
export interface Deferred {
  readonly scheduling: Scheduling;
  /** Called before the transaction is repeated, because the previous attempt was rolled back. */
  restart(): void;
  committed(): void;
  rolledBack(): void;
}

/** Collects deferred work. `inBackground` runs work that no response waits for. */
export function createDeferred(wake: () => void, inBackground: (work: Promise<void>) => void): Deferred {
  let woken = false;
  let onCommit: Work[] = [];
  let onRollback: Work[] = [];
  const end = (works: readonly Work[]) => {
    woken = false;
    onCommit = [];
    onRollback = [];
    for (const work of works) inBackground(work());
  };
  return {
    scheduling: {
      wake: () => {
        woken = true;
      },
      afterCommit: (work) => void onCommit.push(work),
      afterRollback: (work) => void onRollback.push(work),
    },
    restart: () => end(onRollback),
    committed: () => {
      if (woken) wake();
      end(onCommit);
    },
    rolledBack: () => end(onRollback),
  };
}
