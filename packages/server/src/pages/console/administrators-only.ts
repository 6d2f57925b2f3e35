import { forbidden } from '../../api-error.ts';
import type { ShowConsole } from './console-page.ts';

/** A page whose list members may read by the API, but on which they could change nothing. They are told so instead. */
export function administratorsOnly(show: ShowConsole): ShowConsole {
  return async (request) => {
    if (request.visitor.actor.role !== 'MEMBER') return show(request);
    throw forbidden('Only owners and admins of the organization may do this; ask one of them.');
  };
}
