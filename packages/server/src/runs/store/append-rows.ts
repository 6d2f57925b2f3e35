import { newIdAt } from '../../ids.ts';
import { Event } from '../../webhooks/entities/event.ts';
import { WebhookDelivery } from '../../webhooks/entities/webhook-delivery.ts';
import { Activity } from '../entities/activity.ts';
import type { ChangeContext, RunChange } from './save.ts';
import { tableOf, type Row } from './table.ts';
import { insert, type Parameter } from './write.ts';

const activityTable = tableOf(Activity);
const eventTable = tableOf(Event);
const deliveryTable = tableOf(WebhookDelivery);

/** SQL that adds what changes of runs append: lines of the activity log, events, and their deliveries. */
export function appendRows($: Parameter, context: ChangeContext, changes: readonly RunChange[]): string[] {
  return [
    ...insert($, activityTable, activityRows(context, changes)),
    ...insert($, eventTable, eventRows(context, changes)),
    ...insert($, deliveryTable, deliveryRows(context, changes)),
  ];
}

function activityRows({ organizationId }: ChangeContext, changes: readonly RunChange[]) {
  return changes.flatMap(({ after, activity }) =>
    activity.lines.map(({ actor, runTaskId: _, ...line }, index): Row<typeof Activity> => ({
      ...line,
      organizationId,
      runId: after.id,
      actorType: actor.type,
      actorUserId: actor.userId,
      actorApiKeyId: actor.apiKeyId,
      endsChange: index === activity.lines.length - 1,
    })),
  );
}

function eventRows({ organizationId }: ChangeContext, changes: readonly RunChange[]) {
  return changes.flatMap(({ after, events }) =>
    events.map(({ webhookIds: _, ...event }) => ({
      ...event,
      organizationId,
      runId: after.id,
      templateId: after.templateId,
    })),
  );
}

function deliveryRows({ organizationId }: ChangeContext, changes: readonly RunChange[]) {
  return changes.flatMap(({ events }) =>
    events.flatMap(({ id, event, createdAt, webhookIds }) =>
      webhookIds.map((webhookId): Partial<Row<typeof WebhookDelivery>> => ({
        organizationId,
        webhookId,
        id,
        recordId: newIdAt(new Date(createdAt)),
        event,
        status: 'PENDING',
        // PostgreSQL reads this as the time of the transaction. Due deliveries are found by its clock.
        nextAttemptAt: 'now',
        createdAt,
      })),
    ),
  );
}
