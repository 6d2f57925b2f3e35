import { badRequest } from '../api-error.ts';

/** Throws a 400 if the path or query has bytes that are not UTF-8, which would become replacement characters. */
export function ensureUtf8(path: string, query: string): void {
  const broken = query.split('&').filter((parameter) => !isUtf8(parameter));
  const names = broken.map((parameter) => parameter.split('=')[0] ?? '').map((name) => (isUtf8(name) ? name : 'query'));
  if (!isUtf8(path)) names.unshift('path');
  if (names.length > 0) throw badRequest(names.map((name) => `${name}: must be percent-encoded UTF-8`));
}

/** Invalid percent-encoding, like `100%`, is taken as text. */
function isUtf8(text: string): boolean {
  if (/[^\0-\x7f]/.test(text)) return false;
  return (text.match(/(?:%[0-9a-f]{2})+/gi) ?? []).every((bytes) => {
    try {
      return decodeURIComponent(bytes) !== '';
    } catch {
      return false;
    }
  });
}
