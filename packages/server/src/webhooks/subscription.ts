import type { RequestContext } from '../access/request-context.ts';
import { ensureInScope } from '../access/resource-scope/ensure-in-scope.ts';
import {
  ensureMaySubscribeToAll,
  ensureWebhookInScope,
  webhooksInScope,
  type Subscription,
} from '../access/resource-scope/webhooks.ts';
import { badRequest, found } from '../api-error.ts';
import { Template } from '../templates/entities/template.ts';
import { Webhook } from './entities/webhook.ts';

/** The webhooks that the caller may manage, newest first. */
export async function findWebhooks({ em, actor }: Pick<RequestContext, 'em' | 'actor'>): Promise<Webhook[]> {
  const { organizationId } = actor;
  return webhooksInScope(em, actor, await em.find(Webhook, { organizationId }, { orderBy: { id: 'desc' } }));
}

/** A webhook that the caller may manage. Throws a 404 or 403. */
export async function findWebhook({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<Webhook> {
  const { organizationId } = actor;
  const webhook = found(await em.findOne(Webhook, { id, organizationId }), 'Webhook');
  await ensureWebhookInScope(em, actor, webhook);
  return webhook;
}

/**
 * Throws a 403 if the caller may not subscribe a webhook to these templates, and a 400 if the subscription is invalid.
 * The templates that the webhook has may have been deleted, so that what was read can be sent back.
 */
export async function ensureSubscription(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  { templateMode, templateIds }: Subscription,
  before: readonly string[] = [],
): Promise<void> {
  if (templateMode === 'ALL_FLOWS') {
    ensureMaySubscribeToAll(actor);
    if (templateIds.length > 0) {
      throw badRequest(['templateIds: allowed only with templateMode SELECTED_TEMPLATES; set it, or omit templateIds']);
    }
    return;
  }
  if (templateIds.length === 0) throw badRequest(['templateIds: must name at least one template']);

  const { organizationId } = actor;
  const templates = await em.find(Template, { organizationId, deletedAt: null, id: { $in: [...templateIds] } });
  for (const { id, folderId } of templates) ensureInScope(actor, { id, folderId: folderId ?? null });
  const known = new Set([...before, ...templates.map(({ id }) => id)]);
  const unknown = templateIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length > 0) {
    throw badRequest(
      unknown.map((index) => `templateIds[${index}]: not a template of this organization; see GET /templates`),
    );
  }
}
