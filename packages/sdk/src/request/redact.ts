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

/** A URL, or a text that contains some, without the signatures of signed URLs, which are the permission to use them. */
export function shownUrl(text: string): string {
  return text
    .replaceAll(/(\/files\/transfer\/)[\w.-]+/g, '$1[redacted]')
    .replaceAll(/(X-Amz-Signature=)\w+/g, '$1[redacted]');
}
