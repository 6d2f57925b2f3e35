import { assetPath } from '../assets.ts';
import { html, type Markup } from '../html.ts';

/** What loads the script for passkeys. */
export function passkeyScript(): Markup {
  return html`<script type="module" src="${assetPath('passkeys.js')}"></script>`;
}

/**
 * The button that signs in with a passkey, and leads on to `next`. Scripts show it in browsers that have passkeys. The
 * form with the id `carrying`, if there is one, is sent afterwards.
 */
export function passkeyButton({ next, carrying }: { readonly next: string; readonly carrying: string | null }): Markup {
  return html`<div
    data-passkey="sign-in"
    data-next="${next}"
    ${carrying !== null && html`data-carrying="${carrying}"`}
    hidden
  >
    <p class="problem" role="alert" hidden></p>
    <p><button type="button" class="quiet">Sign in with a passkey</button></p>
  </div>`;
}
