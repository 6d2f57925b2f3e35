/** Formats for one time zone. They take long to create, so one set serves a whole document. */
export type ShortTimes = ReturnType<typeof shortTimes>;

/** Formats times for tables, in a time zone: as `2 Mar 2026, 18:00`, and `exact` with seconds. */
export function shortTimes(timeZone: string) {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const days = new Intl.DateTimeFormat('en-GB', day);
  const times = new Intl.DateTimeFormat('en-GB', { ...day, ...time });
  const seconds = new Intl.DateTimeFormat('en-GB', { ...day, ...time, second: '2-digit' });
  return {
    short: (at: string, hasTime = true) => (hasTime ? times : days).format(new Date(at)),
    exact: (at: Date) => seconds.format(at),
  };
}
