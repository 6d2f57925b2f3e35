import type { Hooks } from '@runward/sdk';

type OnResponse = NonNullable<Hooks['onResponse']>;

/**
 * Says once per operation that the server has deprecated it, if the headers of a response say so (RFC 9745, RFC 8594).
 */
export function sayDeprecations(print: (line: string) => void): OnResponse {
  const said = new Set<string>();
  return ({ operation, request, options: { method }, response: { headers } }) => {
    const since = dayOf(Number(/^@(\d+)$/.exec(headers.get('deprecation') ?? '')?.[1]) * 1_000);
    const what = operation ?? `${method} ${new URL(request).pathname}`;
    if (since === null || said.has(what)) return;
    said.add(what);
    const sunset = dayOf(Date.parse(headers.get('sunset') ?? ''));
    const until = sunset === null ? '' : `, and may remove it from ${sunset} on`;
    const guide = /<([^>]+)>\s*;[^,]*\brel="?deprecation"?/.exec(headers.get('link') ?? '')?.[1];
    print(
      `The server has deprecated ${what} since ${since}${until}. Update runward${guide === undefined ? '' : `, or see ${guide}`}.`,
    );
  };
}

/** The day of a time in milliseconds, like `2026-11-27`; null if it is not a time. */
function dayOf(ms: number): string | null {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString().slice(0, 10) : null;
}
