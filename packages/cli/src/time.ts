import { InvalidArgumentError } from 'commander';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whether a text is a date without a time, like 2026-03-01. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/**
 * Parses a time: a date at `timeOfDay` (like `12:00`), or a date with a time, which is local without an offset. Null if
 * invalid.
 */
export function parseTime(text: string, timeOfDay: string): Date | null {
  const isDateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(text);
  const time = new Date(isDate(text) ? `${text}T${timeOfDay}` : text.replace(' ', 'T'));
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript would turn 2026-02-30 into 2 March without an error.
  const exists =
    [time, date].every((each) => !Number.isNaN(each.getTime())) && date.toISOString().startsWith(text.slice(0, 10));
  return (isDate(text) || isDateTime) && exists ? time : null;
}

/**
 * Parses an option for a past time: `90m`, `2h` or `3d` ago, a date (its start), or a date with a time. Returns ISO
 * 8601 in UTC.
 */
export const pastTime = timeFromNow(-1, '00:00', 'ago like 90m, 2h or 3d');

/**
 * Parses an option for a future time: in `90m`, `12h` or `30d`, a date (its end), or a date with a time. Returns ISO
 * 8601 in UTC.
 */
export const futureTime = timeFromNow(1, '23:59:59', 'from now like 90m, 12h or 30d');

function timeFromNow(sign: 1 | -1, timeOfDay: string, expected: string) {
  return (text: string): string => {
    const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
    const time = unit
      ? new Date(Date.now() + sign * Number(count) * unitsMs[unit as keyof typeof unitsMs])
      : parseTime(text, timeOfDay);
    if (time) return time.toISOString();
    throw new InvalidArgumentError(`It must be a time ${expected}, or a time like 2026-03-01T17:00.`);
  };
}

/** Parses an option for a duration: `90s`, `30m`, `12h` or `2d`. Returns milliseconds. */
export function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (unit && Number(count) > 0) return Number(count) * unitsMs[unit as keyof typeof unitsMs];
  throw new InvalidArgumentError('It must be a duration like 90s, 30m, 12h or 2d.');
}

/** The pause between two polls in milliseconds, at least 100. `interval` is in seconds. */
export function pollIntervalMs(interval: number): number {
  return Math.max(interval, 0.1) * 1000;
}
