import type { Violation } from '../history/history.ts';
import type { PortalChange, PortalHistory, PortalVisit } from '../history/portal-history.ts';

/**
 * Checks that every visitor saw something that was published at some time during the visit, whichever process made the
 * page. A visitor must not see a state from before an acknowledged change, or an unpublished portal.
 */
export function checkPortal({ changes, visits }: PortalHistory): Violation[] {
  return [...changes.flatMap(checkChange), ...visits.flatMap((visit) => checkVisit(visit, changes))];
}

function checkChange({ status, edition, message }: PortalChange): Violation[] {
  if (status === null || status === 200) return [];
  return [{ rule: 'rejected', detail: `${nameOf(edition)} of the portal was rejected with ${status}: ${message}` }];
}

function checkVisit(
  { from, to, status, edition, isWhole }: PortalVisit,
  changes: readonly PortalChange[],
): Violation[] {
  const at = `the page opened at ${new Date(from).toISOString()}`;
  if (status !== (edition === null ? 404 : 200) || !isWhole) {
    return [
      { rule: 'wrong page', detail: `${at} has status ${status}, ${nameOf(edition)}, and is not what it should be` },
    ];
  }
  const last = changes.findLastIndex((change) => change.to !== null && change.to < from);
  // What had no response may take effect at any time after it was sent.
  const possible = changes.filter((change, index) => change.from <= to && (index >= last || change.to === null));
  const editions = possible.map((change) => change.edition);
  if (last === -1) editions.push(null);
  if (editions.includes(edition)) return [];
  return [
    { rule: 'stale page', detail: `${at} shows ${nameOf(edition)} instead of ${editions.map(nameOf).join(' or ')}` },
  ];
}

function nameOf(edition: number | null): string {
  return edition === null ? 'no edition' : `edition ${edition}`;
}
