import type { EventName } from '@runward/contract';

/** An enabled webhook that covers a template, and the events that it is subscribed to. */
export interface Subscriber {
  readonly id: string;
  readonly events: readonly EventName[];
}

/**
 * SQL for the subscribers of a template as a JSON array of `Subscriber`; null if there are none. Takes SQL for the ids.
 */
export function selectSubscribers(organizationId: string, templateId: string): string {
  return `(
    select json_agg(json_build_object('id', id, 'events', enabled_events)) from webhooks
    where organization_id = ${organizationId} and enabled
      and (template_mode = 'ALL_FLOWS' or ${templateId} = any(template_ids)))`;
}
