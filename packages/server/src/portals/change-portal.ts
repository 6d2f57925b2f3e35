import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { violates } from '../database/errors.ts';
import type { Portal } from './entities/portal.ts';

/** Saves changes to a portal as its next revision, if anything differs. The caller must lock the portal. */
export async function changePortal(
  context: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  portal: Portal,
  changes: Partial<Portal>,
): Promise<void> {
  const before = { ...portal };
  if (!isDeepStrictEqual({ ...before, ...changes }, before))
    await revisePortal(context, Object.assign(portal, changes));
}

/**
 * Saves a portal as its next revision, because it or one of its pages has changed. Throws a 400 if its slug is taken.
 */
export async function revisePortal(
  { em, actor, now }: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  portal: Portal,
): Promise<void> {
  Object.assign(portal, { updatedByUserId: actor.userId, updatedAt: now, revision: portal.revision + 1 });
  await flushSlug(em, 'portals_slug_key');
}

/** Writes pending changes. Throws a 400 if a slug is taken, which this constraint requires to be unique. */
export async function flushSlug(em: Em, constraint: 'portals_slug_key' | 'portal_pages_slug_key'): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    // The slugs of portals are unique over all organizations. The message does not reveal which one uses it.
    if (violates(error, constraint)) throw badRequest('already_exists', ['slug: already in use; choose another one']);
    throw error;
  }
}
