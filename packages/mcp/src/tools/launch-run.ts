import { contract } from '@runward/contract';
import { z } from 'zod';
import { describeChanged, nameRun } from '../describe-run.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { findRecordId } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';

const { title, scheduledDateLocal, ownerEmail, variables } = contract.runs.launch.body.shape;

/** Launches a run. */
export const launchRun = defineTool({
  name: 'launch_run',
  title: 'Launch a run',
  description:
    'Starts a new run of a published template, with all its tasks, and returns its open tasks. Each call starts another run, unless it repeats an `idempotencyKey`. Read what ' +
    'it needs with describe_template first: `variables` must have those that it marks as required, unless they have a default value. Deadlines can count from the scheduled date, which is today by default: tasks can be late at once ' +
    'unless it is that of the event, such as the first day of a new colleague.',
  scopes: ['runs:execute'],
  effect: 'write',
  input: z.strictObject({
    template: z.string().min(1, 'must not be empty').meta({ description: 'The id or the name of the template.' }),
    title,
    scheduledDate: scheduledDateLocal,
    ownerEmail,
    variables,
    idempotencyKey,
  }),
  run: async (context, { template, scheduledDate, idempotencyKey: key, ...rest }) => {
    const { client, scopes } = context;
    const templateId = await findRecordId(context, 'template', template);
    const launched = await client.runs.launch(
      { ...rest, templateId, scheduledDateLocal: scheduledDate },
      { idempotencyKey: key },
    );
    const summary = `Launched ${nameRun(launched)}.`;
    if (!scopes.has('runs:read')) {
      const { id, publicId, title: given, status } = launched;
      return { summary, data: { runId: id, publicId, title: given, status, templateId } };
    }
    return { summary, data: await describeChanged(context, launched) };
  },
});
