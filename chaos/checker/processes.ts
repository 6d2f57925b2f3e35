import type { History, Violation } from '../history/history.ts';

const maxStopMs = 25_000;

/**
 * Checks that processes exit only because of a fault, and exit with 0 within 25 s after SIGTERM. A start without a
 * database may fail: the process logs it, and its supervisor restarts it.
 */
export function checkProcesses({ exits, faults }: History): Violation[] {
  return exits.flatMap((exit): Violation[] => {
    const { name, cause, code, signal, startedAt, at, wasReady, tookMs } = exit;
    if (cause === 'kill') return [];
    if (cause === 'stop') {
      const inOrder = code === 0 && tookMs <= maxStopMs;
      return inOrder
        ? []
        : [{ rule: 'failed shutdown', detail: `${name} exited with ${signal ?? code} after ${tookMs} ms` }];
    }
    const isDatabaseDown = faults.some(
      ({ kind, from, to }) => (kind === 'restart' || kind === 'stall') && from <= at && to >= startedAt,
    );
    return !wasReady && isDatabaseDown && code === 1
      ? []
      : [{ rule: 'unexpected exit', detail: `${name}: ${signal ?? code}` }];
  });
}
