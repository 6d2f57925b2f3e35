import { ApiError } from '@runward/sdk';
import { html } from '../../html.ts';
import type { ConsoleView } from '../console-page.ts';

/** A page about a call that was rejected: the messages of the API, and the way back. Throws any other error. */
export function rejectionView(error: unknown, { back, text }: { back: string; text: string }): ConsoleView {
  if (!(error instanceof ApiError) || error.statusCode === 401 || error.statusCode >= 500) throw error;
  return {
    title: 'This did not work',
    section: 'runs',
    status: error.statusCode,
    main: html`<div class="problem">${error.messages.map((message) => html`<p>${message}</p>`)}</div>
      <p>Nothing was changed. Put right what the message names, then try again.</p>
      <p><a class="button quiet" href="${back}">${text}</a></p>`,
  };
}
