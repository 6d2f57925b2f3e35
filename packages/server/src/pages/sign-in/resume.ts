import { html, type Markup } from '../html.ts';
import type { HtmlPage } from '../page.ts';
import { plainPage } from '../plain-page.ts';

/** A form that was sent without a valid session, to be sent again. */
export interface PendingForm {
  readonly fields: URLSearchParams;
  /** The path of a page of the console. */
  readonly action: string;
}

/** What the names of the fields of a form begin with while another form carries them. */
const prefix = 'pending.';

/**
 * The hidden fields with which a form carries another one. The CSRF token of that one is left out: it is out of date.
 */
export function carry(fields: URLSearchParams): Markup[] {
  return hidden([...fields].map(([name, value]) => [prefix + name, value]));
}

/** The form that another one has carried; empty if it has not. */
export function carriedBy(form: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (name.startsWith(prefix)) fields.append(name.slice(prefix.length), value);
  return fields;
}

/** A page with one button, which sends a form again as one of the session. */
export function resumePage(
  { fields, action }: PendingForm,
  { title, text, status, csrfToken }: { title: string; text: string; status: number; csrfToken: string },
): HtmlPage {
  const main = html`<p>${text}</p>
    <form class="form" method="post" action="${action}">
      <input type="hidden" name="csrf" value="${csrfToken}" />
      ${hidden([...fields])}
      <button type="submit">Continue</button>
    </form>`;
  return plainPage({ title, main, status });
}

/** A page never repeats a password: the form that gets the fields asks for it again. */
function hidden(fields: readonly (readonly [string, string])[]): Markup[] {
  return fields
    .filter(([name]) => name !== 'csrf' && name !== `${prefix}csrf` && !/password/i.test(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
