import type { Em } from '../../database/database.ts';
import type { Webhook } from '../../webhooks/entities/webhook.ts';
import type { Actor } from '../actor.ts';
import { namingInScope } from './names.ts';
import { outOfScope } from './out-of-scope.ts';

/** The templates whose events a webhook receives. */
export type Subscription = Pick<Webhook, 'templateMode' | 'templateIds'>;

/** The webhooks that the key may manage. A restricted key needs all templates of a webhook in its resource scope. */
export async function webhooksInScope<Each extends Subscription>(
  em: Em,
  actor: Actor,
  webhooks: readonly Each[],
): Promise<Each[]> {
  if (actor.resourceScope.mode === 'ALL') return [...webhooks];
  const selecting = webhooks.filter(({ templateMode }) => templateMode === 'SELECTED_TEMPLATES');
  return namingInScope({ em, actor }, selecting, ({ templateIds }) => [{ templateIds }]);
}

/** Throws a 403 if the key may not manage the webhook. */
export async function ensureWebhookInScope(em: Em, actor: Actor, webhook: Subscription): Promise<void> {
  if ((await webhooksInScope(em, actor, [webhook])).length > 0) return;
  throw outOfScope(actor, 'grant access to every template this webhook is subscribed to', 'use a key that does');
}

/** Throws a 403 if the key is restricted, because such a key may not subscribe a webhook to all templates. */
export function ensureMaySubscribeToAll(actor: Actor): void {
  if (actor.resourceScope.mode === 'ALL') return;
  const remedy = 'set templateMode to SELECTED_TEMPLATES and list templateIds';
  throw outOfScope(actor, 'grant access to all templates', remedy);
}
