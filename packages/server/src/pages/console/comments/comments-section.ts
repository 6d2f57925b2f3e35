import { contract, isAdministrator } from '@runward/contract';
import type { Comment } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { renderMarkdown } from '../../portal/render-markdown.ts';
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
  return html`<section aria-labelledby="comments">
    <h2 id="comments">Comments${total > 0 && html` <span class="soft">${total}</span>`}</h2>
    ${
      nextCursor !== null &&
      html`<p><a href="${path}?${new URLSearchParams({ cursor: nextCursor }).toString()}">Earlier comments</a></p>`
    }
    ${
      total > 0 &&
      html`<ol class="comments">
        ${data.toReversed().map((comment) => item(request, thread, people, comment))}
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

function item(request: ConsoleRequest, { titleOf }: Thread, people: People, comment: Comment): Markup {
  const { id, text, author, mentions, createdAt, editedAt, runTaskId } = comment;
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
    <div class="text">${renderMarkdown(text, 3)}</div>
    ${mentioned.length > 0 && html`<p class="note">Mentions <bdi>${mentioned.join(', ')}</bdi></p>`}
  </li>`;
}
