import { forbidden, type ApiError } from '../../api-error.ts';
import { isOfFormLink, type Actor } from '../actor.ts';

/**
 * The 403 for something outside the caller's resource scope. `lack` is what the scope does not do, like `grant access
 * to this folder`; `remedy` is what to do with an API key, like `use a key that lists it`.
 */
export function outOfScope(actor: Actor, lack: string, remedy: string): ApiError {
  const { mode } = actor.resourceScope;
  if (actor.type === 'API_KEY')
    return forbidden('out_of_resource_scope', `The API key's resource mode ${mode} does not ${lack}; ${remedy}.`);
  if (isOfFormLink(actor))
    return forbidden('out_of_resource_scope', 'This form is not assigned to you. Ask whoever sent you the link.');
  return forbidden(
    'out_of_resource_scope',
    `Your resource mode ${mode} does not ${lack}; ask an owner or admin of the organization.`,
  );
}
