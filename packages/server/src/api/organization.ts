import type { Contract } from '@runward/contract';
import { moveDeadlines } from '../commands/move-deadlines.ts';
import { isTimeZone } from '../config.ts';
import { Organization } from '../db/entities/organization.ts';
import { lockOrganization } from '../db/queries/lock-organization.ts';
import { newSigningSecret } from '../events/sign.ts';
import { badRequest } from '../fault.ts';
import type { Handlers, Scene } from './handler.ts';
import { presentOrganization, presentSigningSecret } from './present-organization.ts';

const defaultOverlapHours = 24;

/** Settings of the caller's organization. */
export const organization: Handlers<Contract['organization']> = {
  get: async (scene) => presentOrganization(await ownOrganization(scene)),

  update: async ({ body, ...scene }) => {
    const { em, actor } = scene;
    if (body.timezone !== undefined && !isTimeZone(body.timezone)) {
      throw badRequest(['timezone: must be an IANA name, like Europe/Berlin']);
    }
    await lockOrganization(em, actor.organizationId);
    const own = await ownOrganization(scene);
    const { name = own.name, timezone: timeZone = own.timeZone, plan = own.plan } = body;
    const moves = timeZone !== own.timeZone;
    Object.assign(own, { name, timeZone, plan });
    await em.flush();
    if (moves) await moveDeadlines(scene, timeZone);
    return presentOrganization(own);
  },

  signingSecret: async (scene) => presentSigningSecret(await ownOrganization(scene), scene.now),

  rotateSigningSecret: async ({ body, ...scene }) => {
    const { em, actor, now } = scene;
    await lockOrganization(em, actor.organizationId);
    const own = await ownOrganization(scene);
    const overlapHours = body?.overlapHours ?? defaultOverlapHours;
    const { previousExpiresAt } = presentSigningSecret(own, now);
    if (previousExpiresAt !== null && overlapHours > 0) {
      throw badRequest(
        `The previous rotation overlaps until ${previousExpiresAt}; wait for it, or send overlapHours 0 to drop every earlier secret at once.`,
      );
    }
    Object.assign(own, {
      signingSecret: newSigningSecret(),
      previousSigningSecret: overlapHours > 0 ? own.signingSecret : null,
      previousSigningSecretExpiresAt: overlapHours > 0 ? new Date(now.getTime() + overlapHours * 3_600_000) : null,
    });
    await em.flush();
    return presentSigningSecret(own, now);
  },
};

async function ownOrganization({ em, actor }: Pick<Scene, 'em' | 'actor'>): Promise<Organization> {
  return em.findOneOrFail(Organization, { id: actor.organizationId });
}
