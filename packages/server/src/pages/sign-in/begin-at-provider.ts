import { notFound } from '../../api-error.ts';
import { newAttempt, proofsOf } from '../../organization/single-sign-on/attempt.ts';
import type { PageRequest, PageResponse } from '../page.ts';
import { callbackPath } from '../paths.ts';
import { localPath } from './local-path.ts';
import { providerProblem } from './provider-problem.ts';

/**
 * Sends the browser to a provider, or shows a page if the provider cannot be reached. `next` of the query is where the
 * member wants to go. Throws a 404.
 */
export async function beginAtProvider(request: PageRequest): Promise<PageResponse> {
  const { params, query, now, browser, baseUrl, ports } = request;
  const slug = params['provider'] ?? '';
  const provider = await ports.signInMethods.open(slug);
  if (!provider) throw notFound('Page');
  const attempt = newAttempt({ provider: slug, next: localPath(query.get('next')), startedAt: now });
  try {
    const redirectTo = await provider.authorizationUrl(`${baseUrl}${callbackPath(slug)}`, proofsOf(attempt));
    browser.keepAttempt(attempt);
    return { redirectTo };
  } catch (error) {
    return providerProblem(request, provider.settings, error);
  }
}
