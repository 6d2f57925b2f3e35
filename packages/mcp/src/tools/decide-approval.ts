import { z } from 'zod';
import { findTaskOfRun, taskArguments } from '../lookup/task.ts';
import { quoted } from '../outline.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from '../tool.ts';

/** Approves or rejects the form of a task. */
export const decideApproval = defineTool({
  name: 'decide_approval',
  title: 'Approve or reject a task',
  description:
    'Approves or rejects what was entered in a task that waits for its approval, in the name of the member whose API key this is. Only on the ' +
    'explicit decision of that person. Read what is to be approved with read_form first.',
  scopes: ['runs:write', 'runs:read'],
  effect: 'write',
  input: z.strictObject({
    ...taskArguments,
    decision: z.enum(['APPROVE', 'REJECT']).meta({ description: 'What the person decided.' }),
    comment: z.string().optional().meta({ description: 'Why. Needed for REJECT. Default: none.' }),
  }),
  run: async ({ client }, { decision, comment, ...input }) => {
    const { run, task } = await findTaskOfRun(client, input);
    const { tasks } = client.runs;
    if (decision === 'REJECT' && comment === undefined)
      throw new ToolError('comment: is required; say why it is rejected.');
    // What changed since it was read is not decided on.
    const options = { ifMatch: run.version };
    const decided =
      decision === 'APPROVE'
        ? await tasks.approve(task.runTaskId, comment === undefined ? {} : { comment }, options)
        : await tasks.reject(task.runTaskId, { comment: comment ?? '' }, options);
    const status = decided.approval?.status;
    const next =
      status === 'GRANTED'
        ? ' Complete it with submit_form, without values.'
        : status === 'REQUESTED'
          ? ' Other approvers have to agree too.'
          : ' The next value that is submitted requests the approval again.';
    return {
      summary: `${decision === 'APPROVE' ? 'Approved' : 'Rejected'} ${quoted(task.title)} of ${run.publicId}.${next}`,
      data: { runTaskId: task.runTaskId, title: task.title, status: decided.status, approval: status },
    };
  },
});
