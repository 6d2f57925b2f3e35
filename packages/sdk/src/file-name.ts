/** A parameter of a Content-Disposition header: its name, then a quoted string or a token. */
const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/g;

/**
 * The file name in a Content-Disposition header (RFC 6266); null if there is none. `filename*` takes precedence over
 * `filename`. Folders are removed, so that a saved file cannot escape its directory.
 */
export function readFileName(contentDisposition: string | null): string | null {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of (contentDisposition ?? '').matchAll(parameter)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return safeName(decodeExtended(parameters.get('filename*'))) ?? safeName(parameters.get('filename'));
}

/** Decodes a value like `UTF-8'en'na%C3%AFve.csv` (RFC 8187). Undefined if it is malformed or has another charset. */
function decodeExtended(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** A file name without folders and control characters. Null if nothing is left. */
export function safeName(path: string | undefined): string | null {
  const name = (path ?? '')
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
  return ['', '.', '..'].includes(name) ? null : name;
}
