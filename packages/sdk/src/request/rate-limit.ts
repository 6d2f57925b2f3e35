/** The rate limit of the current minute for this kind of request (read or write). */
export interface RateLimit {
  /** Requests allowed per minute. */
  readonly limit: number;
  /** Requests left in this minute. */
  readonly remaining: number;
  /** When the limit resets. */
  readonly resetAt: Date;
}

/** Reads the `X-RateLimit-*` headers. Null unless all three are present. `X-RateLimit-Reset` is in epoch seconds. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? '';
    return /^\d{1,12}$/.test(value) ? Number(value) : null;
  });
  if (limit == null || remaining == null || reset == null) return null;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}
