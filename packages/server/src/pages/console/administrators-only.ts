import { forbidden } from '../../api-error.ts';
import type { ShowConsole } from './console-page.ts';

/** A page that could be shown to every member, but from which only owners and admins get further. Others are told so. */
export function administratorsOnly(show: ShowConsole): ShowConsole {
  return async (request) => {
    if (request.visitor.actor.role !== 'MEMBER') return show(request);
    throw forbidden('Only owners and admins of the organization may do this; ask one of them.');
  };
}
