import type { Actor } from '../access/actor.ts';
import { ensureInScope, templatesInScope } from '../access/resource-scope.ts';
import type { Em } from '../database/database.ts';
import { Template } from '../templates/entities/template.ts';
import { Webhook } from './entities/webhook.ts';
import { badRequest, forbidden, found } from '../api-error.ts';
import type { RequestContext } from '../access/request-context.ts';

/** Which events a webhook hears; a restricted key manages only webhooks that hear of its own templates alone. */
export type Subscription = Pick<Webhook, 'templateMode' | 'templateIds'>;

/** The webhooks the caller may manage, newest first. */
export async function findWebhooks({ em, actor }: Pick<RequestContext, 'em' | 'actor'>): Promise<Webhook[]> {
  const { organizationId, resourceScope } = actor;
  const all = await em.find(Webhook, { organizationId }, { orderBy: { id: 'desc' } });
  if (resourceScope.mode === 'ALL') return all;
  const granted = await templatesGranted(
    em,
    actor,
    all.flatMap(({ templateIds }) => templateIds),
  );
  return all.filter((webhook) => isWithin(webhook, granted));
}

/** A webhook the caller may manage, or a 404 or 403. */
export async function findWebhook({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<Webhook> {
  const webhook = found(await em.findOne(Webhook, { id, organizationId: actor.organizationId }), 'Webhook');
  if (actor.resourceScope.mode === 'ALL') return webhook;
  if (isWithin(webhook, await templatesGranted(em, actor, webhook.templateIds))) return webhook;
  throw forbidden(
    `The API key's resource mode ${actor.resourceScope.mode} does not grant access to every template this webhook is subscribed to; use a key that does.`,
  );
}

/** Throws a 403 where the caller may not have a webhook hear this, a 400 where it makes no sense. */
export async function ensureSubscription(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  hearing: Subscription,
): Promise<void> {
  const { organizationId, resourceScope } = actor;
  const { templateMode, templateIds } = hearing;
  if (templateMode === 'ALL_FLOWS') {
    if (resourceScope.mode !== 'ALL') {
      throw forbidden(
        `The API key's resource mode ${resourceScope.mode} does not grant access to all templates; set templateMode to SELECTED_TEMPLATES and list templateIds.`,
      );
    }
    if (templateIds.length > 0) {
      throw badRequest(['templateIds: allowed only with templateMode SELECTED_TEMPLATES; set it, or omit templateIds']);
    }
    return;
  }
  if (templateIds.length === 0) throw badRequest(['templateIds: must name at least one template']);

  const templates = await em.find(Template, { organizationId, deletedAt: null, id: { $in: [...templateIds] } });
  for (const { id, folderId } of templates) ensureInScope(actor, { id, folderId: folderId ?? null });
  const known = new Set(templates.map(({ id }) => id));
  const unknown = templateIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    throw badRequest(
      unknown.map((index) => `templateIds[${index}]: not a template of this organization; see GET /templates`),
    );
  }
}

/** Which of these templates the key grants. A deleted one stays granted, so that its webhooks do not vanish with it. */
async function templatesGranted(em: Em, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { deletedAt: _, ...within } = templatesInScope(actor);
  const templates = await em.find(Template, { $and: [within, { id: { $in: [...ids] } }] }, { fields: ['id'] });
  return new Set(templates.map(({ id }) => id));
}

function isWithin({ templateMode, templateIds }: Subscription, granted: ReadonlySet<string>): boolean {
  return templateMode === 'SELECTED_TEMPLATES' && templateIds.every((id) => granted.has(id));
}
