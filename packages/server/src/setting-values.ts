import { z } from 'zod';
import { parseTrustedProxies } from './client-address.ts';

/** A text that is not empty. */
export const text = z.string().min(1, 'must not be empty; give a value, or remove the variable');

/** A whole number in a range. An empty text is none: converted, it would be 0, which is any free port for `PORT`. */
export function integer(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string({ error })
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((number) => number >= minimum && number <= maximum, error);
}

/** A URL of PostgreSQL that names a database. */
export function postgresUrl(error: string) {
  return z.string().refine((url) => {
    const { protocol, pathname } = URL.parse(url) ?? { protocol: '', pathname: '' };
    return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1;
  }, error);
}

/** `true` or `false`. */
export function boolean(fallback: 'true' | 'false' = 'false') {
  return z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback)
    .transform((value) => value === 'true');
}

/** The proxies in front of the service. */
export const proxies = z
  .string()
  .default('0')
  .transform((text, { issues }) => {
    const trusted = parseTrustedProxies(text);
    if (trusted !== null) return trusted;
    const message =
      'must be the number of proxies in front of the service, like 1, or a list of their addresses and networks, like ' +
      '10.0.0.0/8,192.0.2.7; "true" is rejected, because every client could then choose its address';
    issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  });

const unitSeconds = { s: 1, m: 60, h: 3600 } as const;

/** Delays, in seconds. */
export const schedule = z
  .string()
  .default('0s,5s,5m,30m,2h,5h,10h,10h')
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^\d{1,6}[smh]$/.test(part)), 'must be a list of delays like 0s,5s,5m,2h')
  .transform((parts) =>
    parts.map((part) => Number(part.slice(0, -1)) * unitSeconds[part.slice(-1) as keyof typeof unitSeconds]),
  );
