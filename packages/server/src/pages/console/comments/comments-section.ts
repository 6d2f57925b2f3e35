import { contract, isAdministrator } from '@runward/contract';
import type { Comment } from '@runward/sdk';
import { marksIn, maximumMarks } from '../../../portals/marks-in.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { renderText, textCache } from '../../portal/render-text.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { FormError } from '../forms/form-errors.ts';
import { isGuest, may } from '../may.ts';
import { pageSize } from '../next-page.ts';
import type { People } from '../people.ts';
import { actorName } from '../runs/run-activity.ts';
import { timeTag } from '../time-tag.ts';
import { commentField } from './comment-field.ts';
import type { Thread } from './thread.ts';

/** What a list of comments shows besides its newest page. */
interface Options {
  /** The cursor of an earlier page. */
  readonly cursor?: string | undefined;
  /** What was entered and could not be accepted. */
  readonly entered?: string;
  readonly errors?: readonly FormError[];
}

/** The newest comments, in the order of the conversation, with the way to earlier ones and a form for another. */
export async function commentsSection(
  request: ConsoleRequest,
  thread: Thread,
  people: People,
  { cursor, entered = '', errors = [] }: Options = {},
): Promise<Child> {
  const { data, total, nextCursor } = await thread.list({ limit: pageSize, sort: '-createdAt', cursor });
  const path = `${thread.page}/comments`;
  const texts = await renderTexts(request, data);
  return html`<section aria-labelledby="comments">
    <h2 id="comments">Comments${total > 0 && html` <span class="soft">${total}</span>`}</h2>
    ${
      nextCursor !== null &&
      html`<p><a href="${path}?${new URLSearchParams({ cursor: nextCursor }).toString()}">Earlier comments</a></p>`
    }
    ${
      total > 0 &&
      html`<ol class="comments">
        ${data.map((comment, index) => item(request, thread, people, { comment, text: texts[index] })).toReversed()}
      </ol>`
    }
    ${cursor !== undefined && html`<p><a href="${path}">Newest comments</a></p>`}
    ${
      may(request.visitor, contract['runs.tasks'].comment) &&
      html`<form class="form" method="post" action="${path}">
        ${request.csrf}
        ${commentField({ label: 'Add a comment', value: entered, errors, isForGuest: isGuest(request.visitor) })}
        <button type="submit" class="quiet">Comment</button>
      </form>`
    }
  </section>`;
}

/**
 * The texts of comments as HTML. Together they take no longer to render than those of a page of a portal: those that
 * are left are shown as they were written.
 */
async function renderTexts({ em }: ConsoleRequest, comments: readonly Comment[]): Promise<Markup[]> {
  const rendered: Markup[] = [];
  let left = maximumMarks;
  for (const { text } of comments) {
    const marks = marksIn(text);
    const fits = marks <= left;
    if (fits) left -= marks;
    rendered.push(fits ? await renderText(em.shared(textCache), text, 3) : html`<pre>${text}</pre>`);
  }
  return rendered;
}

function item(
  request: ConsoleRequest,
  { titleOf }: Thread,
  people: People,
  { comment, text }: { readonly comment: Comment; readonly text: Markup | undefined },
): Markup {
  const { id, author, mentions, createdAt, editedAt, runTaskId } = comment;
  const { formats, visitor } = request;
  const name = actorName(author, people);
  const mentioned = [...mentions.userIds, ...mentions.groupIds].map((each) => people.nameOf(each));
  const isOwn = author.userId === visitor.actor.userId;
  const path = `${consolePaths.comments}/${id}`;
  const of = html`<span class="only-read"> the comment of ${name}, ${formats.time(createdAt)}</span>`;
  return html`<li id="comment-${id}">
    <p class="by">
      <strong><bdi>${name}</bdi></strong> ${timeTag(formats, createdAt)}
      ${editedAt !== null && html`<span class="badge">Edited</span>`}
      ${titleOf && runTaskId !== null && html`on <a href="${consolePaths.tasks}/${runTaskId}">${titleOf(runTaskId)}</a>`}
      ${isOwn && may(visitor, contract['runs.comments'].update) && html`<a href="${path}">Edit${of}</a>`}
      ${(isOwn || isAdministrator(visitor.actor.role)) && may(visitor, contract['runs.comments'].delete) && html`<a href="${path}/delete">Delete${of}</a>`}
    </p>
    <div class="text">${text}</div>
    ${mentioned.length > 0 && html`<p class="note">Mentions <bdi>${mentioned.join(', ')}</bdi></p>`}
  </li>`;
}
