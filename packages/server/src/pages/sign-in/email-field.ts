import { html, type Markup } from '../html.ts';

/** The field for the email address of an account. */
export function emailField(email: string, { isFirst }: { readonly isFirst: boolean }): Markup {
  return html`<div class="field">
    <label for="email">Email address</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      value="${email}"
      maxlength="254"
      required
      ${isFirst && html`autofocus`}
    />
  </div>`;
}
