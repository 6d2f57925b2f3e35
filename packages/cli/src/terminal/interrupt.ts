import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;
const quit = (signal: (typeof signals)[number]) => process.exit(128 + constants.signals[signal]);

/** Ends the process with the usual exit codes on Ctrl-C (130) and SIGTERM (143). */
export function quitOnSignals(): void {
  for (const signal of signals) process.on(signal, quit);
}

/**
 * Calls `stop` on the first Ctrl-C or SIGTERM instead of ending the process, so that what is under way can finish; a second
 * one ends it. Until disposed.
 */
export function stopGently(stop: () => void): Disposable {
  const first = () => {
    restore();
    stop();
  };
  const restore = () => {
    for (const signal of signals) process.off(signal, first).off(signal, quit).on(signal, quit);
  };
  for (const signal of signals) process.off(signal, quit).on(signal, first);
  return { [Symbol.dispose]: restore };
}
