import type { CalendarDate, Deprecation } from '@runward/contract';

/** The guide about what changes in which version. */
const guidePath = '/docs/guides/stability.md';

/**
 * The headers of every response of a deprecated endpoint: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) if the day is
 * decided, and a link to the guide. `baseUrl` is where clients reach the service, without a trailing slash.
 */
export function deprecationHeaders({ since, sunset }: Deprecation, baseUrl: string): Record<string, string> {
  return {
    Deprecation: `@${startOf(since).getTime() / 1_000}`,
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
    Link: `<${baseUrl}${guidePath}>; rel="deprecation"; type="text/markdown"`,
  };
}

function startOf(date: CalendarDate): Date {
  return new Date(`${date}T00:00:00Z`);
}
