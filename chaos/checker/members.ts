import { isAcknowledged, type AdminChange, type AdminHistory, type AdminMember } from '../history/admin-history.ts';
import type { Violation } from '../history/history.ts';

/**
 * Checks members. Each has the role and the grants of the last change that was acknowledged, and nobody else was added.
 * A change without a response may or may not have taken effect.
 */
export function checkMembers({ changes, members }: Pick<AdminHistory, 'changes' | 'members'>): Violation[] {
  const byEmail = new Map(members.map((member) => [member.email, member]));
  const requested = Map.groupBy(
    changes.filter(({ action }) => /^(user|grant)\./.test(action)),
    ({ email }) => email,
  );
  return [
    ...changes.flatMap(rejection),
    ...members
      .filter(({ email }) => !requested.has(email))
      .map(({ email }) => ({ rule: 'phantom', detail: `the member ${email} was added by nobody` })),
    ...[...requested].flatMap(([email, ofMember]) => checkMember(email, ofMember, byEmail.get(email))),
  ];
}

function rejection({ action, email, value, status, message = '' }: AdminChange): Violation[] {
  if (status === null || status < 400) return [];
  return [{ rule: 'rejected', detail: `${action} of ${email}, ${value}: ${status} ${message}` }];
}

function checkMember(email: string, changes: readonly AdminChange[], member: AdminMember | undefined): Violation[] {
  const roles = outcomes(changes, 'user.').map(({ value }) => value);
  if (!changes.some((change) => change.action === 'user.created' && isAcknowledged(change))) roles.push(null);
  const role = member?.role ?? null;
  const templateIds = member?.templateIds ?? [];
  const ofTemplate = Map.groupBy(
    changes.filter(({ action }) => action.startsWith('grant.')),
    ({ value }) => value ?? '',
  );
  for (const id of templateIds) if (!ofTemplate.has(id)) ofTemplate.set(id, []);
  return [
    ...(roles.includes(role)
      ? []
      : [{ rule: 'lost role', detail: `${email} has the role ${role} instead of ${roles.join(' or ')}` }]),
    ...[...ofTemplate].flatMap(([id, ofOne]) => {
      const found = templateIds.filter((each) => each === id).length;
      const rule = grantProblem(ofOne, found);
      return rule === null ? [] : [{ rule, detail: `${email} has ${found} grants of the template ${id}` }];
    }),
  ];
}

/** The rule that the number of grants of one template to one member violates; null if it violates none. */
function grantProblem(changes: readonly AdminChange[], found: number): string | null {
  const possible = outcomes(changes, 'grant.').map(({ action }) => (action === 'grant.created' ? 1 : 0));
  const wasGiven = changes.some(isAcknowledged);
  if (!wasGiven) possible.push(0);
  if (found > 1) return 'applied twice';
  if (possible.some((count) => count === found)) return null;
  if (found === 0) return 'lost grant';
  return wasGiven ? 'lost revocation' : 'phantom';
}

/** The changes that may be the last to have taken effect: the last one acknowledged, and each without a response. */
function outcomes(changes: readonly AdminChange[], prefix: string): AdminChange[] {
  const all = changes.filter(({ action }) => action.startsWith(prefix));
  return [...all.filter(isAcknowledged).slice(-1), ...all.filter(({ status }) => status === null)];
}
