/** How much of the current minute's allowance is left for the kind of request (read or write) that was made. */
export interface RateLimit {
  /** Requests allowed in the minute. */
  readonly limit: number;
  /** Requests left in the minute. */
  readonly remaining: number;
  /** When the allowance is full again. */
  readonly resetAt: Date;
}

/** Reads the `X-RateLimit-*` headers; null unless all three are there. `X-RateLimit-Reset` is in epoch seconds. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? '';
    return /^\d{1,12}$/.test(value) ? Number(value) : null;
  });
  if (limit == null || remaining == null || reset == null) return null;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}
