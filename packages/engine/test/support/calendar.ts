import type { Calendar, Clock, Instant } from '@runward/engine';

const unit = { W: 7 * 86_400_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;
const shape = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** A calendar whose days begin `hours` before midnight UTC and never change their length; it knows weeks and smaller units. */
export function calendarAhead(hours: number): Calendar {
  const ahead = hours * unit.H;
  const startOfDay = (date: string) => Date.parse(`${date}T00:00:00.000Z`) - ahead;
  return {
    startOfDay: (date) => moment(startOfDay(date)),
    endOfDay: (at) => moment(startOfDay(moment(Date.parse(at) + ahead).slice(0, 10)) + unit.D - 1),
    add(at, duration) {
      const counts = shape.exec(duration)?.slice(1);
      if (!counts) throw new Error(`The calendar of the tests does not know ${duration}; use weeks and smaller units.`);
      const added = Object.values(unit).reduce((sum, length, index) => sum + length * Number(counts[index] ?? 0), 0);
      return moment(Date.parse(at) + added);
    },
  };
}

/** The calendar of UTC. */
export const utc = calendarAhead(0);

/** A clock that shows a moment. */
export function clockAt(now: Instant, calendar: Calendar = utc): Clock {
  return { now, calendar };
}

/** A time of 2 March 2026, or of another day, in UTC. */
export function at(time: string, day = '2026-03-02'): Instant {
  return `${day}T${time}:00.000Z`;
}

/** Milliseconds since 1970 as a moment. */
export function moment(milliseconds: number): Instant {
  return new Date(milliseconds).toISOString();
}
