/**
 * Programs that use the generated clients, by file name. They compile only if the names and types on which users rely
 * exist.
 */
export const consumers: Readonly<Record<string, string>> = {
  'types-consumer.ts': `
import type { components, operations } from './types.d.ts';

type Schemas = components['schemas'];

const status: Schemas['RunStatus'] = 'RUNNING';
const launch: Schemas['LaunchRun'] = { templateId: '01900000-0000-7000-8000-000000000001' };
// One type for a status, wherever it occurs.
const ofRun: Schemas['Run']['status'] = status;
const ofFilter: NonNullable<NonNullable<operations['runs.list']['parameters']['query']>['status']> = ofRun;

export function describe(payload: Schemas['DeliveryPayload']): string {
  switch (payload.event) {
    case 'task.completed':
      return payload.data.runTaskId;
    case 'approval.rejected':
      return payload.data.comment ?? '';
    default:
      return payload.data.runId;
  }
}

export function first(page: Schemas['RunPage']): Schemas['RunListItem'] | undefined {
  return page.data[0];
}

export const used = [launch, ofFilter];
`,
  'client-consumer.ts': `
import { runsLaunch, runsList, type DeliveryPayload, type LaunchRun, type RunPage, type RunStatus } from './client/index.js';

const launch: LaunchRun = { templateId: '01900000-0000-7000-8000-000000000001', variables: { surname: 'Ada' } };

export async function run(status: RunStatus): Promise<RunPage> {
  const launched = await runsLaunch({ body: launch, headers: { 'Idempotency-Key': 'launch-1' } });
  if (launched.error) {
    // The status narrows the error.
    if (launched.error.statusCode === 429) console.log(launched.error.retryAfter + 1);
    throw new Error(String(launched.error.message));
  }
  console.log(launched.data.publicId);
  const { data } = await runsList({ query: { status, limit: 10 }, throwOnError: true });
  return data;
}

export function taskOf(payload: DeliveryPayload): string | null {
  return payload.event === 'task.completed' ? payload.data.runTaskId : null;
}
`,
};
