import { formats } from '@runward/contract';
import { traitsOf, type Command, type RunState, type SubmittedValue } from '@runward/engine';
import { unassignable, type Assignment } from '../../access/ensure-assignable.ts';
import { badRequest, forbidden } from '../../api-error.ts';
import type { LoadedRun } from '../store/load.ts';
import type { References, Referents } from '../store/references.ts';
import { lookUpRows } from './look-up-rows.ts';

/** Everything that a command on a run refers to, which is read with the run. Null if it refers to nothing else. */
export function referencesOf(command: Command): References | null {
  switch (command.type) {
    case 'assign':
      return assignees(command);
    case 'grantApproval':
    case 'rejectApproval':
      return named({ userIds: [command.userId] });
    case 'submitValues':
    case 'submitForm': {
      // Only the run's fields show which of these are members and which are rows.
      const ids = command.values.flatMap(idIn);
      return named({ userIds: ids, rowIds: ids });
    }
    default:
      return null;
  }
}

/** The member and the group of an assignment; null if it names neither. */
export function assignees({ assigneeId, assigneeGroupId }: Assignment): References | null {
  return named({ userIds: listOf(assigneeId), groupIds: listOf(assigneeGroupId) });
}

/**
 * Throws a 400 for an assignee that is not an active member or a group of the organization, or that cannot hold tasks.
 */
export function ensureAssignees({ members, groupIds }: Referents, assignment: Assignment): void {
  const roles = new Map([...members].map(([id, { role }]) => [id, role]));
  const problems = unassignable([assignment], { roles, groupIds });
  if (problems.length > 0) throw badRequest(problems);
}

/**
 * Checks that everything a command refers to exists in the organization, as read with the run. Throws a 400 or 403 if
 * it does not. Submitted values are marked instead, so that the engine can report them together with all other invalid
 * values. Returns the command.
 */
export function ensureReferences({ state, template, referents }: LoadedRun, command: Command): Command {
  switch (command.type) {
    case 'assign':
      ensureAssignees(referents, command);
      return command;
    case 'reopen':
      // A deleted template has no active runs.
      if (template.isDeleted)
        throw badRequest('template_deleted', 'The template of the run was deleted; its runs cannot be reopened.');
      return command;
    case 'grantApproval':
    case 'rejectApproval': {
      const member = referents.members.get(command.userId);
      if (!member) throw forbidden('not_an_approver', 'The member who approves is deactivated; ask another approver.');
      return { ...command, groupIds: member.groupIds };
    }
    case 'submitValues':
    case 'submitForm':
      return { ...command, values: withMissing(state, command.values, referents) };
    default:
      return command;
  }
}

function withMissing(
  run: RunState,
  values: readonly SubmittedValue[],
  { members, rows }: Referents,
): readonly SubmittedValue[] {
  const fields = run.tasks.flatMap((task) => task.definition.fields);
  const types = new Map(fields.map(({ id, type }) => [id, type]));
  const found = lookUpRows(run, values, rows);
  return values.map((value) => {
    const type = types.get(value.fieldId);
    if (type === undefined || value.value === null) return value;
    const { refersTo } = traitsOf(type);
    if (refersTo === 'row') return { ...value, ...found.get(value.fieldId) };
    const isKnown = refersTo !== 'member' || idIn(value).every((id) => members.has(id));
    return isKnown ? value : { ...value, missing: 'must be an active member of this organization; see GET /users' };
  });
}

/** The value, if it looks like an id. PostgreSQL cannot compare other texts with ids, and the engine rejects them. */
function idIn({ value }: SubmittedValue): string[] {
  return typeof value === 'string' && formats.isId(value) ? [value.toLowerCase()] : [];
}

function named(references: Partial<References>): References | null {
  const { userIds = [], groupIds = [], rowIds = [] } = references;
  return userIds.length + groupIds.length + rowIds.length === 0 ? null : { userIds, groupIds, rowIds };
}

function listOf(id: string | null | undefined): string[] {
  return id == null ? [] : [id];
}
