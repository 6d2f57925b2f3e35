import { organizationMoved, unavailable, type ApiError } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { lockRow } from '../../database/lock-row.ts';
import { OrganizationMove, type MoveStep } from '../entities/organization-move.ts';
import { Organization } from '../entities/organization.ts';

/** In seconds: about as long as the writes of an organization are stopped. */
const retryAfter = 5;

/** Why this cell does not do what was requested of an organization that is moved to another one; null if it does. */
export function moveRejection(step: MoveStep | null, writes: boolean): ApiError | null {
  switch (step) {
    case 'MOVED':
      return organizationMoved();
    case 'ARRIVING':
      return unavailable('The organization is being moved here; retry in a moment.', moving);
    case 'STOPPED':
      if (!writes) return null;
      return unavailable('The organization is being moved, so nothing was changed; retry in a moment.', moving);
    case 'COPYING':
    case 'DRAINING':
    case null:
      return null;
  }
}

const moving = { code: 'organization_moving', retryAfter } as const;

/** Throws a 421 or 503 if another cell serves an organization, for what strangers may read of it. */
export async function ensureServed(em: Em, organizationId: string): Promise<void> {
  const rejection = moveRejection(await stepOf(em, organizationId), false);
  if (rejection) throw rejection;
}

/**
 * Makes a move that would stop the writes of an organization wait for the end of this transaction. Throws a 421 or 503
 * if they are stopped. The step is read by another statement than the lock, so that it is not older than that.
 */
export async function beginWriting(em: Em, organizationId: string): Promise<void> {
  await lockRow(em, Organization, { id: organizationId }, 'key share');
  const rejection = moveRejection(await stepOf(em, organizationId), true);
  if (rejection) throw rejection;
}

async function stepOf(em: Em, organizationId: string): Promise<MoveStep | null> {
  const move = await em.findOne(OrganizationMove, { organizationId }, { disableIdentityMap: true });
  return move?.step ?? null;
}
