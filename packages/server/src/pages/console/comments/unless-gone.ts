import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { failureOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';

/** Shows the text of a form, to copy, if what it concerns was removed meanwhile. */
export async function unlessGone(
  { form }: Pick<ConsoleRequest, 'form'>,
  act: () => Promise<ConsoleView | Redirect>,
): Promise<ConsoleView | Redirect> {
  try {
    return await act();
  } catch (error) {
    if (failureOf(error).status !== 404) throw error;
    return {
      title: 'Not found',
      section: null,
      status: 404,
      hasProblem: true,
      main: html`<p role="alert">What you commented on does not exist, or was removed meanwhile. Nothing was saved.</p>
        <p class="note">Copy what you still need.</p>
        <p class="said">${form.get('text')}</p>`,
    };
  }
}
