import { html, type Child } from '../html.ts';

/** A link that has just been made. */
interface NewLink {
  readonly url: string;
  readonly mailed: boolean;
  readonly mailError: string | null;
}

/** A new link to copy, and whether it was mailed; `mailedTo` says to whom, like ` to the member`. */
export function linkShownOnce({ url, mailed, mailError }: NewLink, mailedTo = ''): Child {
  const why = mailError === null ? 'This service sends no mail.' : `It could not be mailed (${mailError}).`;
  const text = mailed
    ? `It was mailed${mailedTo}. You can also hand the link over yourself.`
    : `${why} Copy the link and hand it over: it is shown only this once.`;
  return html`<div class="done" role="status"><p>${text}</p></div>
    <label for="link">The link</label>
    <input id="link" class="key" value="${url}" readonly autocomplete="off" spellcheck="false" />
    <button type="button" class="quiet with-scripts" data-copies="link">Copy</button>`;
}
