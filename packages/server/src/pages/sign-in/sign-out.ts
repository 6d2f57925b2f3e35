import { forbidden } from '../../api-error.ts';
import { isSameToken } from '../../organization/session-token.ts';
import { signOut } from '../../organization/sign-in.ts';
import type { PageRequest, Redirect } from '../page.ts';
import { signInPath } from '../paths.ts';

/** Ends the session of the browser. Throws a 403 if the form is not one of this session. */
export async function submitSignOut(request: PageRequest): Promise<Redirect> {
  const visitor = await request.findVisitor();
  if (visitor) {
    const { actor, csrfToken } = visitor;
    if (!isSameToken(request.form.get('csrf') ?? '', csrfToken)) {
      throw forbidden('invalid_csrf_token', 'This form was out of date. Go back, reload the page, and try again.');
    }
    await signOut(request, { ...actor, sessionId: actor.sessionId ?? '' });
  }
  return { redirectTo: signInPath };
}
