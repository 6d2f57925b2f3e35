import { ProviderError } from '../../adapters/openid/provider-error.ts';
import { badRequest, notFound, unavailable } from '../../api-error.ts';
import { endProviderSessions } from '../../organization/single-sign-on/end-provider-sessions.ts';
import { html } from '../html.ts';
import type { HtmlPage, PageRequest } from '../page.ts';

/**
 * Ends the sessions that a provider has ended, as its logout token says. The standard wants only the status: 200, or
 * 400 for a token that is not accepted. Throws a 400, 404 or 503.
 */
export async function endByProvider(request: PageRequest): Promise<HtmlPage> {
  const { params, form, ports, report } = request;
  const provider = await ports.signInMethods.open(params['provider'] ?? '');
  if (!provider) throw notFound('Page');
  const token = form.get('logout_token');
  if (token === null) throw badRequest('validation_failed', 'logout_token: must be sent as a field of the form');
  const logout = await provider.verifyLogoutToken(token).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    report(error.message);
    throw error.failure === 'unavailable'
      ? unavailable('The keys of the provider cannot be read; send the token again later.')
      : badRequest('validation_failed', 'logout_token: not a valid logout token of this provider for this service');
  });
  await endProviderSessions(request, provider.settings.issuer, logout);
  return { status: 200, html: html`` };
}
