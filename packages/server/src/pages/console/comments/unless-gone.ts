import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { failureOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';

/** Shows the text of a form, to copy, if what it concerns was removed meanwhile, or the visitor may not comment now. */
export async function unlessGone(
  { form }: Pick<ConsoleRequest, 'form'>,
  act: () => Promise<ConsoleView | Redirect>,
): Promise<ConsoleView | Redirect> {
  try {
    return await act();
  } catch (error) {
    const { status, messages } = failureOf(error);
    if (status !== 403 && status !== 404) throw error;
    const why = status === 404 ? 'What you commented on does not exist, or was removed meanwhile.' : messages.join(' ');
    return {
      title: status === 404 ? 'Not found' : 'This did not work',
      section: null,
      status,
      hasProblem: true,
      main: html`<p role="alert">${why} Nothing was saved.</p>
        <p class="note">Copy what you still need.</p>
        <p class="said">${form.get('text')}</p>`,
    };
  }
}
