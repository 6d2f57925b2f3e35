import { isAcknowledged, type AdminChange, type AdminHistory, type LinkVisit } from '../history/admin-history.ts';
import type { Violation } from '../history/history.ts';

type Links = Pick<AdminHistory, 'changes' | 'visits' | 'links'>;

/**
 * Checks form links. One that was created opens its task until its revocation is sent. It is refused once that was
 * acknowledged, also to a person who has the form open. A fault may explain a missing response.
 */
export function checkLinks({ changes, visits, links }: Links): Violation[] {
  const ofLinks = changes.filter(({ action }) => action.startsWith('form_link.'));
  const requested = Map.groupBy(ofLinks, ({ email }) => email);
  const stored = Map.groupBy(links, ({ email }) => email);
  const emails = new Set([...requested.keys(), ...stored.keys()]);
  return [
    ...[...emails].flatMap((email) => checkStored(email, requested.get(email) ?? [], stored.get(email) ?? [])),
    ...visits.flatMap((visit) => checkVisit(visit, requested.get(visit.email) ?? [])),
  ];
}

function checkStored(email: string, changes: readonly AdminChange[], stored: Links['links']): Violation[] {
  const [created, revoked] = bothOf(changes);
  const link = `the link for ${email}`;
  if (!created) return [{ rule: 'phantom', detail: `${link} was made by nobody` }];
  if (stored.length > 1) return [{ rule: 'applied twice', detail: `${link} was made ${stored.length} times` }];
  const [found] = stored;
  if (!found) return isAcknowledged(created) ? [{ rule: 'lost link', detail: `${link} does not exist` }] : [];
  if (found.isRevoked && !revoked) return [{ rule: 'lost link', detail: `${link} was revoked by nobody` }];
  if (found.isRevoked || !revoked || !isAcknowledged(revoked)) return [];
  return [{ rule: 'lost revocation', detail: `${link} is not revoked` }];
}

function checkVisit({ email, from, to, isOpened }: LinkVisit, changes: readonly AdminChange[]): Violation[] {
  const [, revoked] = bothOf(changes);
  const visit = `the link for ${email} at ${new Date(from).toISOString()}`;
  if (!isOpened) {
    if (revoked && to >= revoked.from) return [];
    return [{ rule: 'link refused', detail: `${visit} was refused, but it was not revoked` }];
  }
  if (!revoked || !isAcknowledged(revoked) || revoked.to === null || from <= revoked.to) return [];
  const late = `${from - revoked.to} ms after the response to the revocation`;
  return [{ rule: 'revoked link', detail: `${visit} opened its task, ${late}` }];
}

const bothOf = (changes: readonly AdminChange[]) => [
  changes.find(({ action }) => action === 'form_link.created'),
  changes.find(({ action }) => action === 'form_link.revoked'),
];
