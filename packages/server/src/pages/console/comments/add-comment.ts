import type { Redirect } from '../../page.ts';
import { isRejectedInput, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { commentErrors } from './comment-field.ts';
import { loadMentionable, mentionsIn } from './mentions.ts';
import { findThread, renderThread } from './show-comments.ts';
import { unlessGone } from './unless-gone.ts';

/** Comments on a run or on a task. */
export async function addComment(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const text = request.form.get('text') ?? '';
  return unlessGone(request, async () => {
    const thread = await findThread(request);
    const mentions = mentionsIn(text, text.includes('@') ? await loadMentionable(request) : []);
    try {
      const { id } = await thread.add({ text, mentions });
      return { redirectTo: `${thread.page}?notice=commented#comment-${id}` };
    } catch (error) {
      if (!isRejectedInput(error)) throw error;
      return renderThread(request, thread, { entered: text, errors: commentErrors(error.messages) });
    }
  });
}
