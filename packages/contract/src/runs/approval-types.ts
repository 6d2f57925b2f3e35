import { z } from 'zod';
import { component } from '../component.ts';
import { approvalDefinition } from '../templates/approval-types.ts';
import { id } from '../values.ts';

/** What an approver decides. */
const approvalDecisions = ['GRANTED', 'REJECTED'] as const;

const decision = z
  .enum(approvalDecisions)
  .meta({ id: 'ApprovalDecisionType', description: 'What an approver decided.' });

const approvalStatus = z.enum(['NOT_REQUESTED', 'REQUESTED', 'GRANTED', 'REJECTED']).meta({
  id: 'ApprovalStatus',
  description:
    'NOT_REQUESTED: the form has no open entry with every required value. REQUESTED: waits for its approvers. GRANTED: the task can be ' +
    'completed. REJECTED: the next value that is submitted requests it again.',
});

const approvalDecision = component('ApprovalDecision', 'What one approver decided.', {
  userId: id.describe('The member who decided.'),
  decision: decision.describe('What the member decided.'),
  comment: z.string().nullable().describe('Why; null for no comment.'),
  at: z.iso.datetime().describe('When the member decided.'),
});

/** The approval of a task of a run. */
export const runTaskApproval = component('RunTaskApproval', 'The approval of a task of a run.', {
  status: approvalStatus.describe('Whether the approval is requested and how it was decided.'),
  ...approvalDefinition,
  requestedAt: z.iso.datetime().nullable().describe('When it was last requested; null if it is not.'),
  decidedAt: z.iso.datetime().nullable().describe('When it was granted or rejected; null if it is not.'),
  decisions: z.array(approvalDecision).describe('The decisions since it was last requested, oldest first.'),
});
