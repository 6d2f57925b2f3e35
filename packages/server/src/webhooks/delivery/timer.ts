import { outsideTraces } from '../../telemetry/tracing.ts';

/** A timer that can be set again before it has run out. */
export interface Timer {
  readonly isSet: boolean;
  /** Runs the work after so many milliseconds, or earlier if it was set to an earlier time before. */
  within(ms: number): void;
}

/** Creates a timer that is not set. Its work is no part of the trace in which it was set. */
export function createTimer(work: () => void): Timer {
  let timeout: NodeJS.Timeout | null = null;
  let at = Infinity;
  return {
    get isSet() {
      return timeout !== null;
    },
    within: (ms) => {
      const next = performance.now() + ms;
      if (at <= next) return;
      if (timeout) clearTimeout(timeout);
      at = next;
      timeout = setTimeout(() => {
        timeout = null;
        at = Infinity;
        outsideTraces(work);
      }, ms);
    },
  };
}
