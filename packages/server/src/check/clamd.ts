import { readClamdVersion } from '../adapters/clamd.ts';
import { Warning } from './part.ts';

/** ClamAV publishes signatures every day. */
const oldestMs = 7 * 86_400_000;

/** Asks the clamd of `CLAMAV_URL` for its version, and for the age of its signatures. */
export async function checkClamd(url: string): Promise<string> {
  return ensureRecent(await readClamdVersion(url), new Date());
}

/** Throws a warning if a version like `ClamAV 1.4.3/27600/Thu Nov 26 09:01:02 2026` has old signatures. */
export function ensureRecent(version: string, now: Date): string {
  const [, , published = ''] = version.split('/');
  const ageMs = now.getTime() - Date.parse(`${published} UTC`);
  // clamd states no time if it has only signatures of its operator.
  if (!(ageMs > oldestMs)) return version;
  const days = Math.floor(ageMs / 86_400_000);
  throw new Warning(
    `the signatures of ${version} are ${days} days old`,
    'check that freshclam runs and can reach its mirror',
  );
}
