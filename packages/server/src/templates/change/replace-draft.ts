import { formats } from '@runward/contract';
import { replaceDocument, type DocumentInput, type ProcessDocument } from '@runward/engine';
import { assigneeProblems, type Assignment } from '../../access/ensure-assignable.ts';
import { lookupProblems, type SentLookup } from '../../access/ensure-lookup.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { newId } from '../../ids.ts';
import { assignmentsOf } from './rule-assignments.ts';

/**
 * The document that replaces a draft. Throws a 400 with every problem. Assignees and approvers that a task or rule
 * already has are not checked again, so that a draft can be sent back after a member was deactivated.
 */
export async function replaceDraft(
  context: Pick<RequestContext, 'em' | 'actor'>,
  current: ProcessDocument,
  wanted: DocumentInput,
): Promise<ProcessDocument> {
  const replaced = replaceDocument(current, wanted, newId, formats);
  const known = new Set(assigneesOf(current.tasks).flatMap(keysOf));
  const assignments = assigneesOf(wanted.tasks).filter(
    (assignment) => !keysOf(assignment).every((key) => known.has(key)),
  );
  const unknown = [
    ...(await assigneeProblems(context, assignments)),
    ...(await lookupProblems(context, lookupsOf(wanted))),
  ];
  if ('problems' in replaced) throw badRequest([...replaced.problems, ...unknown]);
  if (unknown.length > 0) throw badRequest(unknown);
  return replaced.document;
}

function lookupsOf({ tasks }: DocumentInput): SentLookup[] {
  return tasks.flatMap(({ fields = [] }, task) =>
    fields.map(({ dataSource }, field) => ({ path: `tasks[${task}].fields[${field}].dataSource`, dataSource })),
  );
}

/** An assignment, and the id of the task or rule that contains it; undefined for a new one. */
interface OwnedAssignment extends Assignment {
  readonly ownerId: string | undefined;
}

/** The assignees of tasks, named by the tasks and by their rules, and the approvers, each with its path. */
function assigneesOf(tasks: DocumentInput['tasks']): OwnedAssignment[] {
  return tasks.flatMap(({ id, assigneeId, assigneeGroupId, approval, rules = [] }, index) => [
    { ownerId: id, path: `tasks[${index}].`, assigneeId, assigneeGroupId },
    { ownerId: id, path: `tasks[${index}].`, approval },
    ...rules.flatMap(({ id: ownerId, actions }, rule) =>
      assignmentsOf(actions, `tasks[${index}].rules[${rule}].`).map((assignment) =>
        Object.assign(assignment, { ownerId }),
      ),
    ),
  ]);
}

function keysOf({ ownerId = 'new', assigneeId, assigneeGroupId, approval }: OwnedAssignment): string[] {
  const assignees = [assigneeId, assigneeGroupId].filter((id) => id != null);
  const approvers = [...(approval?.approverIds ?? []), ...(approval?.approverGroupIds ?? [])];
  return [...assignees.map((id) => `${ownerId} ${id}`), ...approvers.map((id) => `${ownerId} approval ${id}`)];
}
