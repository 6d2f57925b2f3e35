import { InvalidArgumentError } from 'commander';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whether a text is a day, like 2026-03-01. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** The moment a text means: a day at `time` (like `12:00`), or a day with a time. Without a zone it is local time. Null for any other text. */
export function readMoment(text: string, time: string): Date | null {
  const isMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(text);
  const moment = new Date(isDay(text) ? `${text}T${time}` : text.replace(' ', 'T'));
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  // 2026-02-30 would silently become 2 March.
  const exists =
    [moment, day].every((date) => !Number.isNaN(date.getTime())) && day.toISOString().startsWith(text.slice(0, 10));
  return (isDay(text) || isMoment) && exists ? moment : null;
}

/** Reads an option that names a moment of the past: `90m`, `2h` or `3d` ago, the start of a day, or a moment. ISO 8601 in UTC. */
export function pastMoment(text: string): string {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (unit) return new Date(Date.now() - Number(count) * units[unit as keyof typeof units]).toISOString();
  const moment = readMoment(text, '00:00');
  if (moment) return moment.toISOString();
  throw new InvalidArgumentError('It must be a time ago like 90m, 2h or 3d, or a moment like 2026-03-01T17:00.');
}
