import type { History, InjectedFault, Violation } from '../history/history.ts';
import type { Exit, FailedAttempt } from '../history/process-history.ts';

const maxStopMs = 25_000;
/** How long before SIGTERM a request can be sent that the process has not yet accepted. */
const acceptanceMs = 250;
/** How long requests may fail after the database is back. */
const recoveryMs = 5_000;
/** How long a lock is held before its fault kills a worker. */
const longestLockMs = 10_000;

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

/**
 * Checks that a process which stops in order fails no request: one that was sent before SIGTERM gets its response, and
 * none gets an error of the service. A connection that is refused or reset after SIGTERM is what clients and proxies
 * repeat. While the database is down, or statements wait for a lock, requests may fail.
 */
export function checkStops({ exits, failures, faults }: Pick<History, 'exits' | 'failures' | 'faults'>): Violation[] {
  const slow = faults.flatMap(slowPeriodOf);
  return exits
    .filter(({ cause }) => cause === 'stop')
    .flatMap((exit) => failures.filter((failure) => isCut(failure, exit)))
    .filter(({ from, to }) => !slow.some((period) => period.from <= to && period.to >= from))
    .map(({ process, name, from, to, status, message }) => ({
      rule: 'request cut off',
      detail: `${name || 'a read'} at ${process}, sent at ${new Date(from).toISOString()}, failed after ${to - from} ms while it stopped: ${status ?? message}`,
    }));
}

function isCut({ process, from, to, status }: FailedAttempt, { name, at, tookMs }: Exit): boolean {
  const signalledAt = at - tookMs;
  if (process !== name || to < signalledAt || from > at) return false;
  return status === null ? from < signalledAt - acceptanceMs : status >= 500;
}

/** When a fault makes the database unavailable, or holds a lock for which changes of runs wait. */
function slowPeriodOf({ kind, name, from, to }: InjectedFault): { readonly from: number; readonly to: number }[] {
  if (kind === 'restart' || kind === 'stall') return [{ from, to: to + recoveryMs }];
  return /during (?:mails|runs)\./.test(name) ? [{ from: from - longestLockMs, to }] : [];
}
