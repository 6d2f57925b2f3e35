import { badRequest, notFound } from '../../api-error.ts';
import { isSameToken } from '../../organization/session-token.ts';
import { proofsOf, readAttempt } from '../../organization/single-sign-on/attempt.ts';
import { signInWithProvider } from '../../organization/single-sign-on/sign-in-with-provider.ts';
import type { PageRequest, PageResponse } from '../page.ts';
import { callbackPath } from '../paths.ts';
import { localPath } from './local-path.ts';
import { providerProblem } from './provider-problem.ts';

/**
 * Signs in the member whom a provider sends back, and leads on to where they wanted to go, or shows a page that says
 * why not. Throws a 404.
 */
export async function returnFromProvider(request: PageRequest): Promise<PageResponse> {
  const { params, query, search, now, browser, baseUrl, ports } = request;
  const slug = params['provider'] ?? '';
  const provider = await ports.signInMethods.open(slug);
  if (!provider) throw notFound('Page');
  try {
    const stored = browser.attempt ?? '';
    const attempt = readAttempt(stored, now);
    const proofs = proofsOf(stored);
    if (attempt?.provider !== slug || !isSameToken(query.get('state') ?? '', proofs.state)) throw outOfDate();
    browser.keepAttempt(null);
    const claims = await provider.signedIn(new URL(`${baseUrl}${callbackPath(slug)}${search}`), proofs);
    await signInWithProvider(request, { settings: provider.settings, claims }, proofs.state);
    return { redirectTo: localPath(attempt.next) };
  } catch (error) {
    return providerProblem(request, provider.settings, error);
  }
}

const outOfDate = () =>
  badRequest(
    'link_invalid',
    'This sign-in was already completed, took longer than 10 minutes, or was begun in another browser or after this one.',
  );
