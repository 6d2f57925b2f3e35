import type { RequestContext, Work } from '../access/request-context.ts';

/** What a handler may ask for, to be done once it is known whether its transaction was committed. */
export type Requests = Pick<RequestContext, 'wake' | 'afterCommit' | 'afterRollback'>;

/** Collects what a request wants done afterwards, and does it. */
export interface Aftermath {
  readonly requests: Requests;
  /** Another attempt begins: the one before was rolled back. */
  restart(): void;
  committed(): void;
  rolledBack(): void;
}

/** `inBackground` runs work nobody waits for. */
export function createAftermath(wake: () => void, inBackground: (work: Promise<void>) => void): Aftermath {
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
    requests: {
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
