import type { Parts } from '@runward/contract';
import { ensureVersion } from '../access/ensure-version.ts';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { isTimeZone } from '../calendar.ts';
import { lockRow } from '../database/lock-row.ts';
import { organizationProperties, organizationTarget } from './audited.ts';
import { Organization } from './entities/organization.ts';
import { organizationVersion, presentOrganization } from './present-organization.ts';
import { presentSigningSecret, rotateSigningSecret } from './signing-secret.ts';

/** Settings of the caller's organization. */
export const organization: Handlers<Parts['organization']> = {
  get: async (context) => presentOrganization(await ownOrganization(context)),

  update: async ({ body, ...context }) => {
    const { em } = context;
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) {
      throw badRequest(['timezone: must be an IANA time zone, like Europe/Berlin']);
    }
    const own = await lockOrganization(context);
    ensureVersion(context, 'organization', organizationVersion(own));
    const { name = own.name, timezone: timeZone = own.timeZone, remindBefore = own.remindBefore } = body;
    const before = organizationProperties(own);
    const movesDeadlines = timeZone !== own.timeZone || remindBefore !== own.remindBefore;
    Object.assign(own, { name, timeZone, remindBefore });
    await em.flush();
    if (movesDeadlines) await context.ports.moveDeadlines(context, timeZone);
    const after = organizationProperties(own);
    await recordChange(context, { action: 'organization.updated', target: organizationTarget(own), before, after });
    return presentOrganization(own);
  },

  signingSecret: async (context) => presentSigningSecret(await ownOrganization(context), context.now),

  rotateSigningSecret: async ({ body, ...context }) => {
    const { em, now } = context;
    const own = await lockOrganization(context);
    const after = rotateSigningSecret(own, body, now);
    await em.flush();
    const target = organizationTarget(own);
    await recordChange(context, { action: 'signing_secret.rotated', target, after });
    return presentSigningSecret(own, now);
  },
};

async function ownOrganization({ em, actor }: Pick<RequestContext, 'em' | 'actor'>): Promise<Organization> {
  return em.findOneOrFail(Organization, { id: actor.organizationId });
}

/**
 * Locks the organization. Changes of its members, keys and settings happen one at a time. Launches with date-only
 * deadlines wait for them.
 */
async function lockOrganization(context: Pick<RequestContext, 'em' | 'actor'>): Promise<Organization> {
  await lockRow(context.em, Organization, { id: context.actor.organizationId }, 'no key update');
  return ownOrganization(context);
}
