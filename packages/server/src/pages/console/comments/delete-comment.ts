import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { renderText, textCache } from '../../portal/render-text.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { pageOf } from './edit-comment.ts';

/** Asks whether to delete a comment. */
export async function askToDelete(request: ConsoleRequest): Promise<ConsoleView> {
  const comment = await request.api.runs.comments.get(request.params['id'] ?? '');
  const main = html`<p>It is no longer shown to anyone. The activity of the run keeps its text.</p>
    <div class="text">${await renderText(request.em.shared(textCache), comment.text, 2)}</div>
    ${confirmForm(request, { button: 'Delete the comment', back: `${pageOf(comment)}#comment-${comment.id}` })}`;
  return { title: 'Delete this comment?', section: 'runs', main };
}

/** Deletes a comment. */
export async function deleteComment({ api, params }: ConsoleRequest): Promise<Redirect> {
  const comment = await api.runs.comments.get(params['id'] ?? '');
  await api.runs.comments.delete(comment.id);
  return { redirectTo: `${pageOf(comment)}?notice=commentDeleted#comments` };
}
