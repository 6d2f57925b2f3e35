import type { Redirect } from '../../page.ts';
import { isRejectedInput, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { commentErrors } from './comment-field.ts';
import { loadMentionable, mentionsIn } from './mentions.ts';
import { findRunThread, findTaskThread, renderThread } from './show-comments.ts';
import type { Thread } from './thread.ts';
import { unlessGone } from './unless-gone.ts';

/** Comments on a run. */
export async function commentOnRun(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return unlessGone(request, async () => add(request, await findRunThread(request)));
}

/** Comments on a task. */
export async function commentOnTask(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return unlessGone(request, async () => add(request, await findTaskThread(request)));
}

async function add(request: ConsoleRequest, thread: Thread): Promise<ConsoleView | Redirect> {
  const text = request.form.get('text') ?? '';
  const mentions = mentionsIn(text, text.includes('@') ? await loadMentionable(request) : []);
  try {
    const { id } = await thread.add({ text, mentions });
    return { redirectTo: `${thread.page}?notice=commented#comment-${id}` };
  } catch (error) {
    if (!isRejectedInput(error)) throw error;
    return renderThread(request, thread, { entered: text, errors: commentErrors(error.messages) });
  }
}
