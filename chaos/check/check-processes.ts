import type { Evidence, Violation } from '../evidence.ts';

const longestStopMs = 25_000;

/**
 * No process ends by itself, and one that is asked to ends in good order within 25 s. A start that finds no database may fail: that is
 * said in the log, and whoever supervises the process starts it again.
 */
export function checkProcesses({ exits, incidents }: Evidence): Violation[] {
  return exits.flatMap((exit): Violation[] => {
    const { name, cause, code, signal, startedAt, at, wasReady, tookMs } = exit;
    if (cause === 'kill') return [];
    if (cause === 'stop') {
      const inOrder = code === 0 && tookMs <= longestStopMs;
      return inOrder
        ? []
        : [{ rule: 'stopped badly', detail: `${name} ended with ${signal ?? code} after ${tookMs} ms` }];
    }
    const away = incidents.some(
      ({ kind, from, to }) => (kind === 'restart' || kind === 'stall') && from <= at && to >= startedAt,
    );
    return !wasReady && away && code === 1
      ? []
      : [{ rule: 'process ended by itself', detail: `${name}: ${signal ?? code}` }];
  });
}
