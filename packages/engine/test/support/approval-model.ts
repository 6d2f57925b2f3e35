import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalDefinition, Fact } from '@runward/engine';

/** What was agreed on an entry since the approval was last requested. */
interface Request {
  readonly entryId: string;
  readonly users: Set<string>;
  readonly groups: Set<string>;
  /** The values of the entry when the last decision was made. */
  agreedOn: ReadonlyMap<string, string>;
  isGranted: boolean;
}

/**
 * Throws unless every completion of a task with an approval follows a grant for the current content of its entry.
 * Models one task from its facts and from the approval that each version asks for. Works out independently who still
 * has to approve, and whether a value differs from the approved one.
 */
export function completionsAreApproved(
  approvalIn: (versionId: string) => ApprovalDefinition | null,
  runTaskId: string,
  facts: readonly Fact[],
): void {
  let definition: ApprovalDefinition | null = null;
  // A migration may set values aside and bring them back.
  let isMigrated = false;
  const entries = new Map<string, Map<string, string>>();
  let request: Request | null = null;
  for (const fact of facts) {
    if (fact.type === 'run.started' || fact.type === 'run.migrated') {
      definition = approvalIn(fact.templateVersionId);
      isMigrated ||= fact.type === 'run.migrated';
    }
    if (!('runTaskId' in fact) || fact.runTaskId !== runTaskId) continue;
    switch (fact.type) {
      case 'entry.opened':
        entries.set(fact.entryId, new Map());
        break;
      case 'value.submitted':
      case 'file.removed':
        setValue(entries.get(fact.entryId), fact.fieldId, fact.value);
        break;
      case 'entry.discarded':
        entries.delete(fact.entryId);
        break;
      case 'approval.requested':
        assert(request === null || !request.isGranted, 'a granted approval was requested without being invalidated');
        request = { entryId: fact.entryId, users: new Set(), groups: new Set(), agreedOn: new Map(), isGranted: false };
        break;
      case 'approval.granted': {
        assert(request !== null && request.entryId === fact.entryId, 'another entry was approved than was requested');
        const values: ReadonlyMap<string, string> = new Map(entries.get(fact.entryId));
        if (request.users.size > 0 && !isMigrated)
          assert(isDeepStrictEqual(request.agreedOn, values), 'the approvers agreed on different values');
        request.users.add(fact.userId);
        for (const id of fact.groupIds) request.groups.add(id);
        request.agreedOn = values;
        assert(definition, 'an approval was decided that does not exist');
        request.isGranted = hasAgreed(definition, request);
        assert.equal(fact.isComplete, request.isGranted, 'an approval is complete, or not, against its policy');
        break;
      }
      case 'approval.rejected':
      case 'approval.invalidated':
        request = null;
        break;
      case 'task.completed': {
        if (!definition) break;
        assert(request?.isGranted, 'a task was completed without its approval');
        const values = entries.get(request.entryId);
        assert(values !== undefined, 'a task was completed with the approval of a discarded entry');
        assert(
          isMigrated || isDeepStrictEqual(request.agreedOn, values),
          'a task was completed with values that nobody approved',
        );
        break;
      }
    }
  }
}

/** An empty field is one without a value. */
function setValue(values: Map<string, string> | undefined, fieldId: string, value: unknown): void {
  if (value === null) values?.delete(fieldId);
  else values?.set(fieldId, JSON.stringify(value));
}

function hasAgreed({ policy, approverIds, approverGroupIds }: ApprovalDefinition, { users, groups }: Request): boolean {
  if (policy === 'ANY') return users.size > 0;
  return approverIds.every((id) => users.has(id)) && approverGroupIds.every((id) => groups.has(id));
}
