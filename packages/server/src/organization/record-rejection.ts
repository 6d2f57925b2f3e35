import { setTimeout as pause } from 'node:timers/promises';
import type { RequestContext } from '../access/request-context.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { userTarget } from './audited.ts';
import type { User } from './entities/user.ts';

/** Longer than a response takes from here to the client. */
const delayMs = 250;

/**
 * Records that somebody could not sign in as a member. This happens after the response, and not right after it, so that
 * neither this response nor one to the next request takes longer if the account exists.
 */
export function recordRejection(
  {
    now,
    browser,
    inTransaction,
    afterRollback,
  }: Pick<RequestContext, 'now' | 'browser' | 'inTransaction' | 'afterRollback'>,
  user: Pick<User, 'organizationId' | 'id' | 'email' | 'status'>,
): void {
  const { organizationId, status } = user;
  const { address } = browser;
  const actor = { organizationId, type: 'ANONYMOUS', userId: null, apiKeyId: null } as const;
  const change = { action: 'session.rejected', target: userTarget(user), after: { status } } as const;
  afterRollback(async () => {
    await pause(delayMs);
    await inTransaction((em) => recordChange({ em, now, actor, browser: { address } }, change));
  });
}
