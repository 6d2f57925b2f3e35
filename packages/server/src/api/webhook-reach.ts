import type { Actor } from '../access/actor.ts';
import { ensureReach, reachableTemplates } from '../access/reach.ts';
import type { Em } from '../db/database.ts';
import { Template } from '../db/entities/template.ts';
import { Webhook } from '../db/entities/webhook.ts';
import { badRequest, forbidden, found } from '../fault.ts';
import type { Scene } from './handler.ts';

/** Which events a webhook hears; a restricted key manages only webhooks that hear of its own templates alone. */
export type Hearing = Pick<Webhook, 'templateMode' | 'templateIds'>;

/** The webhooks the caller may manage, newest first. */
export async function findWebhooks({ em, actor }: Pick<Scene, 'em' | 'actor'>): Promise<Webhook[]> {
  const { organizationId, reach } = actor;
  const all = await em.find(Webhook, { organizationId }, { orderBy: { id: 'desc' } });
  if (reach.mode === 'ALL') return all;
  const granted = await grantedTemplates(
    em,
    actor,
    all.flatMap(({ templateIds }) => templateIds),
  );
  return all.filter((webhook) => isWithin(webhook, granted));
}

/** A webhook the caller may manage, or a 404 or 403. */
export async function reachWebhook({ em, actor }: Pick<Scene, 'em' | 'actor'>, id: string): Promise<Webhook> {
  const webhook = found(await em.findOne(Webhook, { id, organizationId: actor.organizationId }), 'Webhook');
  if (actor.reach.mode === 'ALL') return webhook;
  if (isWithin(webhook, await grantedTemplates(em, actor, webhook.templateIds))) return webhook;
  throw forbidden(
    `The API key's resource mode ${actor.reach.mode} does not grant all templates this webhook hears of; use a key that does.`,
  );
}

/** Throws a 403 where the caller may not have a webhook hear this, a 400 where it makes no sense. */
export async function ensureHearing({ em, actor }: Pick<Scene, 'em' | 'actor'>, hearing: Hearing): Promise<void> {
  const { organizationId, reach } = actor;
  const { templateMode, templateIds } = hearing;
  if (templateMode === 'ALL_FLOWS') {
    if (reach.mode !== 'ALL') {
      throw forbidden(
        `The API key's resource mode ${reach.mode} does not grant all templates; set templateMode to SELECTED_TEMPLATES and name some in templateIds.`,
      );
    }
    if (templateIds.length > 0) {
      throw badRequest(['templateIds: are for templateMode SELECTED_TEMPLATES only; set it, or leave them out']);
    }
    return;
  }
  if (templateIds.length === 0) throw badRequest(['templateIds: must name at least one template']);

  const templates = await em.find(Template, { organizationId, deletedAt: null, id: { $in: [...templateIds] } });
  for (const { id, folderId } of templates) ensureReach(actor, { id, folderId: folderId ?? null });
  const known = new Set(templates.map(({ id }) => id));
  const unknown = templateIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    throw badRequest(unknown.map((index) => `templateIds[${index}]: is no template of the organization`));
  }
}

/** Which of these templates the key grants. A deleted one stays granted, so that its webhooks do not vanish with it. */
async function grantedTemplates(em: Em, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { deletedAt: _, ...within } = reachableTemplates(actor);
  const templates = await em.find(Template, { $and: [within, { id: { $in: [...ids] } }] }, { fields: ['id'] });
  return new Set(templates.map(({ id }) => id));
}

function isWithin({ templateMode, templateIds }: Hearing, granted: ReadonlySet<string>): boolean {
  return templateMode === 'SELECTED_TEMPLATES' && templateIds.every((id) => granted.has(id));
}
