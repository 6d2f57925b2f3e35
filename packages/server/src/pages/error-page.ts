import type { ApiError } from '../api-error.ts';
import { html, type Markup } from './html.ts';
import type { HtmlPage, PageRequest, Visitor } from './page.ts';
import { signInPath } from './paths.ts';
import { plainPage } from './plain-page.ts';
import { localPath } from './sign-in/local-path.ts';

/**
 * An error as a page. A page that does not exist looks like one that the visitor may not see, so both offer strangers
 * to sign in.
 */
export function errorPage(
  { status, messages }: Pick<ApiError, 'status' | 'messages'>,
  { path }: Pick<PageRequest, 'path'>,
  visitor: Visitor | null,
): HtmlPage {
  const { title, text } = status === 404 ? missing(path, visitor) : failed(status, [messages].flat().join(' '));
  return plainPage({ title, main: text, visitor, status });
}

interface Message {
  readonly title: string;
  readonly text: Markup;
}

function missing(path: string, visitor: Visitor | null): Message {
  const title = 'Page not found';
  if (visitor) {
    return { title, text: html`<p>There is no page at this address, or it is not open to you. Check the address.</p>` };
  }
  const next = new URLSearchParams({ next: localPath(path) }).toString();
  return {
    title,
    text: html`<p>There is no page at this address, or it is open to members only. Check the address, or sign in.</p>
      <p><a class="button" href="${signInPath}?${next}">Sign in</a></p>`,
  };
}

function failed(status: number, message: string): Message {
  if (status === 413) {
    return { title: 'The form is too large', text: html`<p>${message} Nothing was saved; go back to the form.</p>` };
  }
  return status === 500
    ? { title: 'Something went wrong', text: html`<p>The page could not be made. Retry in a moment.</p>` }
    : { title: 'This did not work', text: html`<p>${message}</p>` };
}
