import { isAdministrator } from '@runward/contract';
import { forbidden } from '../../api-error.ts';
import type { ShowConsole } from './console-page.ts';

/** Restricts a page to owners and admins, although every member may read what it lists. Throws a 403 for others. */
export function administratorsOnly(show: ShowConsole): ShowConsole {
  return async (request) => {
    if (isAdministrator(request.visitor.actor.role)) return show(request);
    throw forbidden('insufficient_role', 'Only owners and admins of the organization may do this; ask one of them.');
  };
}
