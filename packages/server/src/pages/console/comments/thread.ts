import type { Comment, CommentPage, CreateComment, Run, RunsCommentsListQuery } from '@runward/sdk';
import { consolePaths } from '../../paths.ts';
import type { ConsoleSection } from '../console-layout.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** The comments on a run, or on one of its tasks. */
export interface Thread {
  readonly section: ConsoleSection;
  /** What is commented on, and the page that shows it. */
  readonly title: string;
  readonly page: string;
  /** The title of a task, for comments on tasks in the list of a run. Null in the list of a task. */
  readonly titleOf: ((runTaskId: string) => string) | null;
  list(query: RunsCommentsListQuery): Promise<CommentPage>;
  add(comment: CreateComment): Promise<Comment>;
}

/** The comments on a run and its tasks. */
export function threadOfRun({ api }: Pick<ConsoleRequest, 'api'>, run: Pick<Run, 'id' | 'title' | 'tasks'>): Thread {
  const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
  return {
    section: 'runs',
    title: run.title,
    page: `${consolePaths.runs}/${run.id}`,
    titleOf: (runTaskId) => titles.get(runTaskId) ?? 'a removed task',
    list: async (query) => api.runs.comments.list(run.id, query),
    add: async (comment) => api.runs.comments.create(run.id, comment),
  };
}

/** The comments on a task. */
export function threadOfTask(
  { api }: Pick<ConsoleRequest, 'api'>,
  { runTaskId, title }: { readonly runTaskId: string; readonly title: string },
): Thread {
  return {
    section: 'tasks',
    title,
    page: `${consolePaths.tasks}/${runTaskId}`,
    titleOf: null,
    list: async (query) => api.runs.tasks.comments(runTaskId, query),
    add: async (comment) => api.runs.tasks.comment(runTaskId, comment),
  };
}
