const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-service-csrf',
]);

/** Headers as a record that is safe to log: names in lower case, credentials redacted. */
export function printable(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, credentials.has(name) ? '[redacted]' : value]));
}

/** A URL that is safe to log: without the signature of a signed URL, which is the permission to use it. */
export function shownUrl(url: string): string {
  return url.replace(/(\/files\/transfer\/)[^/?#]+/, '$1[redacted]').replace(/\?.*X-Amz-Signature.*$/, '?[redacted]');
}
