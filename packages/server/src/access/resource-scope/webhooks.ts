import { forbidden } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { Template } from '../../templates/entities/template.ts';
import type { Webhook } from '../../webhooks/entities/webhook.ts';
import type { Actor } from '../actor.ts';
import { templatesInScope } from './filters.ts';

/** The templates whose events a webhook receives. */
export type Subscription = Pick<Webhook, 'templateMode' | 'templateIds'>;

/** Those of some webhooks that the key may manage: a restricted key only if all templates of a webhook are in its resource scope. */
export async function webhooksInScope<Each extends Subscription>(
  em: Em,
  actor: Actor,
  webhooks: readonly Each[],
): Promise<Each[]> {
  if (actor.resourceScope.mode === 'ALL') return [...webhooks];
  const granted = await findGranted(
    em,
    actor,
    webhooks.flatMap(({ templateIds }) => templateIds),
  );
  return webhooks.filter(
    ({ templateMode, templateIds }) =>
      templateMode === 'SELECTED_TEMPLATES' && templateIds.every((id) => granted.has(id)),
  );
}

/** Throws a 403 if the key may not manage the webhook. */
export async function ensureWebhookInScope(em: Em, actor: Actor, webhook: Subscription): Promise<void> {
  if ((await webhooksInScope(em, actor, [webhook])).length > 0) return;
  throw forbidden(
    `The API key's resource mode ${actor.resourceScope.mode} does not grant access to every template this webhook is subscribed to; use a key that does.`,
  );
}

/** Throws a 403 if the key is restricted, so that it may not subscribe a webhook to all templates. */
export function ensureMaySubscribeToAll({ resourceScope }: Actor): void {
  if (resourceScope.mode === 'ALL') return;
  throw forbidden(
    `The API key's resource mode ${resourceScope.mode} does not grant access to all templates; set templateMode to SELECTED_TEMPLATES and list templateIds.`,
  );
}

/** Which of these templates are in the key's resource scope. A deleted one stays in it, so that its webhooks remain listed. */
async function findGranted(em: Em, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { deletedAt: _, ...inScope } = templatesInScope(actor);
  const templates = await em.find(Template, { $and: [inScope, { id: { $in: [...ids] } }] }, { fields: ['id'] });
  return new Set(templates.map(({ id }) => id));
}
