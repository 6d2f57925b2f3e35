import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Tables } from '../../database/tables.ts';

/** The tables of queries for deliveries. */
export interface Deliveries extends Tables {
  delivery: Tables['webhook_deliveries'];
}

/**
 * The condition of a Kysely query for deliveries (alias `delivery`) of events in the caller's resource scope. A webhook
 * may have had other templates when they were made. Tests without a run have made-up data and no template.
 */
export function deliveriesInScope(actor: Actor): Expression<SqlBool> {
  const eb = expressionBuilder<Deliveries, 'delivery'>();
  if (actor.resourceScope.mode === 'ALL') return eb.lit(true);
  const { organizationId } = actor;
  return eb.exists(
    eb
      .selectFrom('events as event')
      .where('event.organization_id', '=', organizationId)
      .whereRef('event.id', '=', 'delivery.id')
      .where(({ or, eb: own }) => or([own('event.template_id', 'is', null), rowsInScope('event', actor)]))
      .select('event.id'),
  );
}
