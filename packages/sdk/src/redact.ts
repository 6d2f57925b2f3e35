const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-service-csrf',
]);

/** Headers as a record for people and logs: names in lower case, the values of credentials replaced. */
export function printable(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, credentials.has(name) ? '[redacted]' : value]));
}
