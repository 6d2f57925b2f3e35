/** What is wrong with a text that is no time of the zone, for example because clocks skip it. */
export function localTimeProblem(timeZone: string): string {
  return `must be a date with a time that clocks in ${timeZone} show, like 2026-03-01T09:00`;
}
