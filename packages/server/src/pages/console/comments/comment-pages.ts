import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ShowConsole } from '../console-page.ts';
import { lazyPage } from '../lazy-page.ts';

const ofRun = `${consolePaths.runs}/:id/comments` as const;
const ofTask = `${consolePaths.tasks}/:runTaskId/comments` as const;
const comment = `${consolePaths.comments}/:id` as const;

const editing = () => import('./edit-comment.ts');
const deleting = () => import('./delete-comment.ts');

/** More than the text of a comment takes in a form, so that a longer one is shown again. */
const maximumFormBytes = 1_000_000;

/** The pages with the comments on a run and on a task, and those that change a comment. */
export const commentPages: Readonly<Record<string, Page>> = {
  consoleRunComments: page('GET', ofRun, async () => (await import('./show-comments.ts')).showComments),
  consoleCommentOnRun: page('POST', ofRun, async () => (await import('./add-comment.ts')).addComment),
  consoleTaskComments: page('GET', ofTask, async () => (await import('./show-comments.ts')).showComments),
  consoleCommentOnTask: page('POST', ofTask, async () => (await import('./add-comment.ts')).addComment),
  consoleComment: page('GET', comment, async () => (await editing()).askForEdit),
  consoleEditComment: page('POST', comment, async () => (await editing()).editComment),
  consoleCommentDeletion: page('GET', `${comment}/delete`, async () => (await deleting()).askToDelete),
  consoleDeleteComment: page('POST', `${comment}/delete`, async () => (await deleting()).deleteComment),
};

function page(method: Page['method'], path: Page['path'], load: () => Promise<ShowConsole>): Page {
  return lazyPage(method, path, load, { maximumFormBytes });
}
