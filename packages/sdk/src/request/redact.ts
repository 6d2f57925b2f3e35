const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-service-csrf',
]);

const replacement = '[redacted]';

/** A copy of headers that is safe to log. */
export function redacted(headers: Headers): Headers {
  const shown = new Headers(headers);
  for (const name of credentials) if (shown.has(name)) shown.set(name, replacement);
  return shown;
}

/** Makes the changes of a redacted copy in the headers. */
export function applyChanges(shown: Headers, headers: Headers): void {
  const deleted = [...headers.keys()].filter((name) => !shown.has(name));
  for (const name of deleted) headers.delete(name);
  for (const [name, value] of shown) if (value !== replacement) headers.set(name, value);
}

/** Removes the signatures of signed URLs from a text, because whoever has such a signature may use the URL. */
export function shownUrl(text: string): string {
  return text
    .replaceAll(/(\/files\/transfer\/)[\w.-]+/g, '$1[redacted]')
    .replaceAll(/(X-Amz-Signature=)\w+/g, '$1[redacted]');
}
