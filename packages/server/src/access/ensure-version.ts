import { preconditionFailed } from '../api-error.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Throws a 412 unless the record has the version that the header `If-Match` requires. Call it with the record locked,
 * or in a loop that repeats if the record changed in the meantime. `kind` names the record in the message, like "run".
 */
export function ensureVersion({ ifMatch }: Pick<RequestContext, 'ifMatch'>, kind: string, version: string): void {
  if (ifMatch === null || ifMatch === version) return;
  throw preconditionFailed(
    `The ${kind} has changed since version ${ifMatch}; read it again and repeat the request with its new ETag.`,
  );
}
