import { z } from 'zod';
import { component } from '../component.ts';
import { id, idList } from '../values.ts';

/** How many approvers have to agree. */
const approvalPolicies = ['ANY', 'ALL'] as const;

/** A policy on the wire. */
const approvalPolicy = z.enum(approvalPolicies).meta({
  id: 'ApprovalPolicy',
  description:
    'ANY: one approver is enough. ALL: every member of `approverIds`, and one member of every group of `approverGroupIds`. With either, one ' +
    'rejection is enough.',
});

/** Who approves a task, as a client reads it. */
export const approvalDefinition = {
  approverIds: z.array(id).describe('Members who may approve.'),
  approverGroupIds: z
    .array(id)
    .describe(
      'Groups whose members may approve. If neither members nor groups are named, everyone with the scope `runs:write` may.',
    ),
  policy: approvalPolicy.describe('How many of them have to.'),
  allowSelfApproval: z
    .boolean()
    .describe('Whether those who opened the entry or submitted one of its values may approve it.'),
};

/** The approval of a task of a template. */
export const taskApproval = component(
  'TaskApproval',
  'Who has to approve the form of a task before the task can be completed.',
  approvalDefinition,
);

/** The approval of a task as a client sends it. */
export const taskApprovalSettings = component(
  'TaskApprovalSettings',
  'Who has to approve the form of a task before it can be completed.',
  {
    approverIds: idList(100).optional().describe('Active members whose role is not VIEWER. Default: none.'),
    approverGroupIds: idList(100)
      .optional()
      .describe(
        'Groups. If neither members nor groups are named, everyone with the scope `runs:write` may approve. Default: none.',
      ),
    policy: approvalPolicy
      .optional()
      .meta({ description: 'How many of them have to approve. Default: ANY.', default: 'ANY' }),
    allowSelfApproval: z.boolean().optional().meta({
      description: 'Whether those who opened the entry or submitted one of its values may approve it. Default: false.',
      default: false,
    }),
  },
);
