import type { ProviderSettings } from '../../sign-in-settings.ts';
import { html, type Markup } from '../html.ts';
import { providerPath } from '../paths.ts';

/**
 * One link per provider with which members sign in, and lead on to `next`. If the page carries a form, the links open
 * another tab, so that the form is not lost.
 */
export function providerLinks(
  providers: readonly ProviderSettings[],
  { next, isCarrying }: { readonly next: string; readonly isCarrying: boolean },
): Markup | false {
  if (providers.length === 0) return false;
  const query = new URLSearchParams({ next }).toString();
  return html`${providers.map(
    ({ slug, name }) =>
      html`<p>
        <a class="button" href="${providerPath(slug)}?${query}" ${isCarrying && html`target="_blank"`}>
          Sign in with ${name}${isCarrying && ' in a new tab'}
        </a>
      </p>`,
  )}`;
}
