import { formats } from '@runward/contract';
import type { Calendar, Environment, Instant } from '@runward/engine';

const unit = { W: 7 * 86_400_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;
const shape = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A calendar of 24-hour days that begin `hours` before midnight UTC. Durations may use weeks and smaller units. */
export function calendarAhead(hours: number): Calendar {
  const ahead = hours * unit.H;
  const startOfDay = (date: string) => Date.parse(`${date}T00:00:00.000Z`) - ahead;
  return {
    startOfDay: (date) => instantOf(startOfDay(date)),
    endOfDay: (at) => instantOf(startOfDay(instantOf(Date.parse(at) + ahead).slice(0, 10)) + unit.D - 1),
    add: (at, duration) => instantOf(Date.parse(at) + lengthOf(duration)),
    subtract: (at, duration) => instantOf(Date.parse(at) - lengthOf(duration)),
  };
}

function lengthOf(duration: string): number {
  const counts = shape.exec(duration)?.slice(1);
  if (!counts) throw new Error(`The test calendar does not support ${duration}; use weeks and smaller units.`);
  return Object.values(unit).reduce((sum, length, index) => sum + length * Number(counts[index] ?? 0), 0);
}

/** The calendar of UTC. */
export const utc = calendarAhead(0);

/** The environment of a command at a given time, with the formats of the contract, and by default without reminders. */
export function environmentAt(now: Instant, calendar: Calendar = utc, remindBefore = 'PT0S'): Environment {
  return { now, calendar, remindBefore, formats };
}

/** The timestamp of a time of day in UTC, on 2 March 2026 by default. */
export function at(time: string, day = '2026-03-02'): Instant {
  return `${day}T${time}:00.000Z`;
}

/** The timestamp of milliseconds since 1970. */
export function instantOf(milliseconds: number): Instant {
  return new Date(milliseconds).toISOString();
}
