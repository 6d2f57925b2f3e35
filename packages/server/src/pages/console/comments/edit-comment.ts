import type { Comment } from '@runward/sdk';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { failureOf, isRejectedInput, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { isGuest } from '../may.ts';
import { commentErrors, commentField } from './comment-field.ts';
import { loadMentionable, mentionsAfter } from './mentions.ts';
import { unlessGone } from './unless-gone.ts';

/** The form with which one edits a comment of one's own. */
export async function askForEdit(request: ConsoleRequest): Promise<ConsoleView> {
  const comment = await request.api.runs.comments.get(request.params['id'] ?? '');
  return form(request, comment, comment.text);
}

/** Edits a comment. If the text cannot be accepted, it is still there. */
export async function editComment(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params, form: sent } = request;
  const text = sent.get('text') ?? '';
  return unlessGone(request, async () => {
    const comment = await api.runs.comments.get(params['id'] ?? '');
    try {
      // Guests cannot mention anybody, so the mentions stay as they are.
      const mentions = isGuest(request.visitor)
        ? undefined
        : mentionsAfter(comment, text, await loadMentionable(request));
      await api.runs.comments.update(comment.id, { text, mentions });
      return { redirectTo: `${pageOf(comment)}?notice=commentEdited#comment-${comment.id}` };
    } catch (error) {
      const { status, messages } = failureOf(error);
      if (!isRejectedInput(error) && status !== 403) throw error;
      return form(request, comment, text, commentErrors(messages), status);
    }
  });
}

/** The page that shows what a comment is on. */
export function pageOf({ runId, runTaskId }: Pick<Comment, 'runId' | 'runTaskId'>): string {
  return runTaskId === null ? `${consolePaths.runs}/${runId}` : `${consolePaths.tasks}/${runTaskId}`;
}

function form(
  { csrf, path, visitor }: ConsoleRequest,
  comment: Comment,
  value: string,
  errors: readonly FormError[] = [],
  status = 200,
): ConsoleView {
  const main = html`<form class="form" method="post" action="${path}">
      ${csrf} ${commentField({ label: 'Comment', value, errors, isForGuest: isGuest(visitor) })}
      <div class="actions">
        <button type="submit">Save</button>
        <a class="button quiet" href="${pageOf(comment)}#comment-${comment.id}">Back</a>
      </div>
    </form>
    <p class="note">The activity of the run keeps the earlier text.</p>`;
  return { title: 'Edit a comment', section: 'runs', errors, main, status };
}
