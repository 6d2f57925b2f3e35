import { replaceDocument, type DocumentInput, type ProcessDocument } from '@runward/engine';
import { assigneeProblems } from '../access/ensure-assignable.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { newId } from '../ids.ts';

/**
 * The document that replaces a draft. Throws a 400 with every problem. Assignees that a task has already are not checked again, so that a
 * draft can be sent back after a member was deactivated.
 */
export async function replaceDraft(
  context: Pick<RequestContext, 'em' | 'actor'>,
  current: ProcessDocument,
  wanted: DocumentInput,
): Promise<ProcessDocument> {
  const replaced = replaceDocument(current, wanted, newId);
  const before = new Map(current.tasks.map((task) => [task.id, task]));
  const assignments = wanted.tasks.map(({ id = '', assigneeId, assigneeGroupId }, index) => {
    const task = before.get(id);
    return {
      path: `tasks[${index}].`,
      assigneeId: assigneeId === task?.assigneeId ? null : assigneeId,
      assigneeGroupId: assigneeGroupId === task?.assigneeGroupId ? null : assigneeGroupId,
    };
  });
  const unknown = await assigneeProblems(context, assignments);
  if ('problems' in replaced) throw badRequest([...replaced.problems, ...unknown]);
  if (unknown.length > 0) throw badRequest(unknown);
  return replaced.document;
}
