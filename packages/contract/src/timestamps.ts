const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

const minuteMs = 60_000;

/**
 * Converts a timestamp with a time zone to UTC with milliseconds, like `2026-03-01T09:00:00.000Z`. Returns null if the
 * text is not a timestamp. Accepts RFC 3339 and common variants of ISO 8601: no seconds, offsets like `+0100` and
 * `+01`, `24:00`, a decimal comma. Digits beyond milliseconds are cut off. A leap second becomes the first moment of
 * the next minute.
 */
export function normalizeTimestamp(text: string): string | null {
  const parts = pattern.exec(text);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => +(part ?? 0));
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  const isTime = minute < 60 && second <= 60 && (hour < 24 || (hour === 24 && minute + second + ms === 0));
  if (!isDay(year, month, day) || !isTime || offsetHours > 23 || offsetMinutes > 59) return null;

  const offset = (offsetHours * 60 + offsetMinutes) * (parts[8] === '-' ? -1 : 1);
  const beginOfMinute = utc(year, month, day) + (hour * 60 + minute - offset) * minuteMs;
  const isLeap = second === 60;
  if (isLeap && !new Date(beginOfMinute).toISOString().includes('T23:59')) return null;
  return new Date(beginOfMinute + second * 1000 + (isLeap ? 0 : ms)).toISOString();
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(utc(year, month, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Date.UTC takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
