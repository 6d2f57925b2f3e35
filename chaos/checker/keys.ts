import type { Violation } from '../history/history.ts';
import type { KeyHistory } from '../history/key-history.ts';

/**
 * Checks keys. No request was let in that began after the revocation was acknowledged. None was rejected before the
 * revocation was sent. A fault may explain an error of the service, or a missing response.
 */
export function checkKeys({ revocations, requests }: KeyHistory): Violation[] {
  const byKey = new Map(revocations.map((revocation) => [revocation.keyId, revocation]));
  return requests.flatMap(({ keyId, name, from, to, status }): Violation[] => {
    if (status === null || status >= 500) return [];
    const revocation = byKey.get(keyId);
    const request = `${name} with the key ${keyId} at ${new Date(from).toISOString()}`;
    if (status === 401) {
      if (revocation && to >= revocation.from) return [];
      return [{ rule: 'key rejected', detail: `${request} was rejected, but the key was not revoked` }];
    }
    if (!revocation || revocation.to === null || from <= revocation.to) return [];
    const late = `${from - revocation.to} ms after the response to the revocation`;
    return [{ rule: 'revoked key', detail: `${request} returned ${status}, ${late}` }];
  });
}
