import { percentile95, type AttackResult } from './attack-run.ts';

const maxShown = 10;

/** The promises that were broken, one sentence each. */
export function problemsOf({ end, peaks, heapLimitMb, beside, completed, lost }: AttackResult): string[] {
  const failures = [...beside].flatMap(([name, seen]) => seen.failures.map((failure) => `${name}: ${failure}`));
  return [
    ...(end === null ? [] : [`the process of the service ended (${end})`]),
    ...(peaks.heapMb < heapLimitMb ? [] : [`the heap took ${peaks.heapMb.toFixed(0)} MB`]),
    ...(completed > 0 ? [] : ['the neighbor completed no run']),
    ...lost.map((id) => `run ${id} was completed, but is not`),
    ...failures.slice(0, maxShown).map((failure) => `a request of the neighbor failed during ${failure}`),
    ...(failures.length > maxShown ? [`${failures.length - maxShown} more of its requests failed`] : []),
  ];
}

/** Which of some attacks were not carried out, or could not be prepared, one sentence each. */
export function missedOf({ beside, waves }: AttackResult, names: readonly string[]): string[] {
  const stopped = waves.flatMap(({ attack, statuses }) =>
    Object.keys(statuses).flatMap((key) => (key.startsWith('stopped') ? `${attack} ${key}` : [])),
  );
  return [...stopped, ...names.filter((name) => !beside.has(name)).map((name) => `${name} was not carried out`)];
}

/** What was seen, as lines for a person. */
export function describe({ alone, beside, waves, peaks, completed }: AttackResult): string[] {
  const before = percentile95(alone.milliseconds);
  const all = percentile95([...beside.values()].flatMap(({ milliseconds }) => milliseconds));
  return [
    ...[...beside].map(([name, { milliseconds }]) => {
      const statuses: Record<string, number> = {};
      for (const wave of waves.filter(({ attack }) => attack === name)) {
        for (const [status, count] of Object.entries(wave.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
      }
      const p95 = percentile95(milliseconds);
      const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
      return `${name}: p95 of the neighbor ${ms(p95)} (${(p95 / before).toFixed(1)}x); responses ${counts.join(', ')}`;
    }),
    `neighbor: p95 ${ms(before)} alone, ${ms(all)} during the attacks (${(all / before).toFixed(1)}x); ${completed} runs completed`,
    `service: heap ${peaks.heapMb.toFixed(0)} MB, resident ${peaks.residentMb.toFixed(0)} MB, slowest health check ${ms(peaks.healthMs)}`,
  ];
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
