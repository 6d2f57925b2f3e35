import type { AuditProperties, AuditTarget } from '../audit-log/record-change.ts';
import type { Webhook } from './entities/webhook.ts';

/** A webhook, as the audit log names it. */
export function webhookTarget({ id, name }: Pick<Webhook, 'id' | 'name'>): AuditTarget {
  return { type: 'WEBHOOK', id, label: name };
}

/** The properties of a webhook that the audit log compares. */
export function webhookProperties(webhook: Webhook): AuditProperties {
  const { name, url, enabledEvents, enabled, ordered, templateMode, templateIds, description } = webhook;
  const ownSecret = webhook.signingSecret != null;
  return {
    name,
    url,
    enabledEvents,
    enabled,
    ordered,
    templateMode,
    templateIds,
    description: description ?? null,
    ownSecret,
  };
}
