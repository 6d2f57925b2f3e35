import { html } from '../../html.ts';
import { rejectionOf, type ConsoleView } from '../console-page.ts';

/** A page about a call that was rejected: the messages of the API, and the way back. Throws any other error. */
export function rejectionView(error: unknown, { back, text }: { back: string; text: string }): ConsoleView {
  const { status, messages } = rejectionOf(error);
  return {
    title: 'This did not work',
    section: 'runs',
    status,
    main: html`<div class="problem">${messages.map((message) => html`<p>${message}</p>`)}</div>
      <p>Nothing was changed. Put right what the message names, then try again.</p>
      <p><a class="button quiet" href="${back}">${text}</a></p>`,
  };
}
