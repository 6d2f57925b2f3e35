import { forbidden, type ApiError } from '../../api-error.ts';
import type { Actor } from '../actor.ts';

/**
 * The 403 for something outside the caller's resource scope. `lack` is what the scope does not do, like `grant access
 * to this folder`; `remedy` is what to do with an API key, like `use a key that lists it`.
 */
export function outOfScope({ type, resourceScope: { mode } }: Actor, lack: string, remedy: string): ApiError {
  if (type === 'API_KEY')
    return forbidden('out_of_resource_scope', `The API key's resource mode ${mode} does not ${lack}; ${remedy}.`);
  return forbidden(
    'out_of_resource_scope',
    `Your resource mode ${mode} does not ${lack}; ask an owner or admin of the organization.`,
  );
}
