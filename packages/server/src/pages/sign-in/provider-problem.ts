import { ProviderError, type ProviderFailure } from '../../adapters/openid/provider-error.ts';
import { ApiError } from '../../api-error.ts';
import type { ProviderSettings } from '../../sign-in-settings.ts';
import { html } from '../html.ts';
import type { HtmlPage, PageRequest } from '../page.ts';
import { signInPath } from '../paths.ts';
import { plainPage } from '../plain-page.ts';

interface Problem {
  readonly status: number;
  readonly text: string;
}

const problemOf: Readonly<Record<ProviderFailure, (name: string, hasPasswords: boolean) => Problem>> = {
  unavailable: (name, hasPasswords) => ({
    status: 503,
    text: `${name} cannot be used at the moment. Try again later${hasPasswords ? ', or sign in with your password' : ''}.`,
  }),
  denied: (name) => ({ status: 403, text: `${name} has not signed you in, because you or it ended the sign-in.` }),
  rejected: (name) => ({
    status: 400,
    text:
      `The response of ${name} was not accepted: it is out of date, was used before, or is not for this service. ` +
      'If this happens again, tell an administrator.',
  }),
};

/** Why a sign-in with a provider has failed, as a page that leads back. Throws errors that are none of the sign-in. */
export async function providerProblem(
  request: PageRequest,
  { name }: ProviderSettings,
  error: unknown,
): Promise<HtmlPage> {
  const { ports, requestId, report, findVisitor } = request;
  if (error instanceof ProviderError && error.failure !== 'denied') report(error.message);
  const { status, text } = describe(error, name, ports.signInMethods.byPassword);
  const main = html`<p class="problem" role="alert">${text}</p>
    <p><a class="button" href="${signInPath}">Back to sign in</a></p>
    <p class="note">Request ${requestId}</p>`;
  const visitor = await findVisitor().catch(() => null);
  return plainPage({ title: 'You could not sign in', main, visitor, status });
}

function describe(error: unknown, name: string, hasPasswords: boolean): Problem {
  if (error instanceof ProviderError) return problemOf[error.failure](name, hasPasswords);
  if (error instanceof ApiError && error.status < 500) {
    return { status: error.status, text: [error.messages].flat().join(' ') };
  }
  throw error;
}
