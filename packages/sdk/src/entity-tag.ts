import { RunwardError } from './errors/errors.ts';

/**
 * The value of `If-Match` for a version, for the entity tag of a response, or for `*`. A version is put in quotes.
 *
 * @throws RunwardError if the text is none of these
 */
export function toEntityTag(ifMatch: string): string {
  if (ifMatch === '*' || /^"[\x21\x23-\x7e]+"$/.test(ifMatch)) return ifMatch;
  if (/^[\x21\x23-\x7e]+$/.test(ifMatch)) return `"${ifMatch}"`;
  throw new RunwardError('`ifMatch` must be the `version` of a record, the `etag` of an earlier response, or *.');
}
