import { defaultLimits } from '@runward/contract';
import type { Command, RunState } from '@runward/engine';
import type { TestApp } from '@runward/testing/app';
import type { TestOrganization } from '@runward/testing/organization';
import { memberActor } from '../../src/access/actor.ts';
import { ApiError } from '../../src/api-error.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { changeRun } from '../../src/runs/change/change-run.ts';
import { launchRun } from '../../src/runs/launch/launch-run.ts';
import type { LaunchOptions } from '../../src/runs/launch/prepare-launch.ts';

type Context = Parameters<typeof changeRun>[0];

/** What happens to a run some time after its launch. `task` is the position of a task. */
export interface Step {
  readonly afterMs: number;
  readonly type:
    | 'completeTask'
    | 'reopenTask'
    | 'assign'
    | 'complete'
    | 'cancel'
    | 'reopen'
    | 'archive'
    | 'detectOverdue';
  readonly task: number;
  readonly assigneeId: string;
}

/** The life of a run. */
export interface History {
  readonly templateId: string;
  readonly launchedAt: Date;
  readonly options: LaunchOptions;
  readonly steps: readonly Step[];
}

/**
 * Lets a run happen at chosen times, which the API cannot: every change is decided and saved as it is for a request.
 * Rejected steps are left out. Returns the id of the run.
 */
export async function happen(app: TestApp, org: TestOrganization, history: History): Promise<string> {
  const { organizationId, ownerUserId: userId } = org;
  const member = {
    organizationId,
    userId,
    plan: 'ENTERPRISE',
    timeZone: 'UTC',
    role: 'OWNER',
    sessionId: null,
  } as const;
  const at = (now: Date): Context => ({
    actor: memberActor(member),
    em: app.database.em.fork(),
    inTransaction: (work) => inTransaction(app.database, work),
    now,
    ifMatch: null,
    wake: () => {},
    ports: { limits: defaultLimits },
  });
  let run = await launchRun(at(history.launchedAt), history.templateId, history.options);
  const steps = history.steps.toSorted((one, other) => one.afterMs - other.afterMs);
  for (const step of steps) {
    const now = new Date(history.launchedAt.getTime() + step.afterMs);
    const command = commandOf(run, step, userId);
    if (command) run = await changed(at(now), run, command);
  }
  return run.id;
}

async function changed(context: Context, run: RunState, command: Command): Promise<RunState> {
  try {
    return (await changeRun(context, { runId: run.id }, command)).state;
  } catch (error) {
    if (error instanceof ApiError) return run;
    throw error;
  }
}

function commandOf(run: RunState, { type, task, assigneeId }: Step, userId: string): Command | null {
  const runTaskId = run.tasks[task % Math.max(1, run.tasks.length)]?.id;
  switch (type) {
    case 'completeTask':
    case 'reopenTask': {
      const status = type === 'completeTask' ? 'COMPLETED' : 'PENDING';
      return runTaskId === undefined ? null : { type: 'setTaskStatus', runTaskId, status, userId };
    }
    case 'assign':
      return runTaskId === undefined ? null : { type, runTaskId, assigneeId };
    default:
      return { type };
  }
}
