import { mayCall, type Endpoint } from '@runward/contract';
import { isOfFormLink } from '../../access/actor.ts';
import type { Visitor } from '../page.ts';

/** Whether the role of a visitor allows an endpoint, so that pages offer only what works. */
export function may({ actor }: Visitor, endpoint: Endpoint): boolean {
  return isOfFormLink(actor) ? endpoint.guests === true : mayCall(actor.role, endpoint);
}

/** Whether a visitor only has the tasks that are theirs, so that pages leave out what else belongs to a run. */
export function isGuest({ actor }: Visitor): boolean {
  return actor.role === 'GUEST';
}
