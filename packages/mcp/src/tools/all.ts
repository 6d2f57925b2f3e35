import type { Tool } from '../tool.ts';
import { addComment } from './add-comment.ts';
import { decideApproval } from './decide-approval.ts';
import { describeTemplate } from './describe-template.ts';
import { explainRun } from './explain-run.ts';
import { findRuns } from './find-runs.ts';
import { findTemplates } from './find-templates.ts';
import { getRun } from './get-run.ts';
import { launchRun } from './launch-run.ts';
import { listComments } from './list-comments.ts';
import { listMyTasks } from './list-my-tasks.ts';
import { listTasks } from './list-tasks.ts';
import { readForm } from './read-form.ts';
import { runActivity } from './run-activity.ts';
import { submitForm } from './submit-form.ts';
import { summarizeRuns } from './summarize-runs.ts';

/** The tools for common work, in the order in which a model uses them. */
export const commonTools: readonly Tool[] = [
  findTemplates,
  describeTemplate,
  launchRun,
  findRuns,
  getRun,
  listMyTasks,
  listTasks,
  readForm,
  submitForm,
  decideApproval,
  listComments,
  addComment,
  explainRun,
  runActivity,
  summarizeRuns,
];
