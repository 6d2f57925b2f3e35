import type { ActivityRow, History, Violation } from '../history/history.ts';

/** What the activity says about the version of a run and its tasks. */
interface Followed {
  versionId: unknown;
  rulesVersionId: unknown;
  readonly tasks: Map<string, 'current' | 'retired' | 'removed'>;
}

/**
 * Checks that the version, tasks and rules of a run follow from its activity, so that no migration or rule sync was
 * applied in part. Every rule sync has ended, and none failed.
 */
export function checkVersions({
  runs,
  tasks,
  activity,
  ruleSyncs,
}: Pick<History, 'runs' | 'tasks' | 'activity' | 'ruleSyncs'>): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  const ofRun = Map.groupBy(tasks, ({ runId }) => runId);
  for (const { id, title, versionId, rulesVersionId } of runs) {
    const name = `run ${id} "${title}"`;
    const expected = followed(facts.get(id) ?? []);
    if (versionId !== expected.versionId) {
      report('migrated in part', `${name} follows the version ${versionId}, not ${String(expected.versionId)}`);
    }
    if (rulesVersionId !== expected.rulesVersionId) {
      report(
        'synchronized in part',
        `${name} has the rules of ${rulesVersionId}, not ${String(expected.rulesVersionId)}`,
      );
    }
    const actual = new Map((ofRun.get(id) ?? []).map((task) => [task.id, task.place]));
    for (const taskId of new Set([...actual.keys(), ...expected.tasks.keys()])) {
      const [is, was] = [actual.get(taskId), expected.tasks.get(taskId)];
      if (is !== was)
        report('migrated in part', `task ${taskId} of ${name} is ${is ?? 'absent'}, not ${was ?? 'absent'}`);
    }
  }
  for (const { templateId, status, total, processed } of ruleSyncs) {
    if (status === 'COMPLETED' && processed === total) continue;
    report(
      'unfinished rule sync',
      `that of the template ${templateId} is ${status} after ${processed} of ${total} runs`,
    );
  }
  return violations;
}

function followed(facts: readonly ActivityRow[]): Followed {
  const state: Followed = { versionId: null, rulesVersionId: null, tasks: new Map() };
  for (const { type, line } of facts) {
    const { templateVersionId } = line.data;
    const ids = (name: string) => (line.data[name] ?? []) as readonly string[];
    const begun = (name: string) => (line.data[name] ?? []) as readonly { readonly runTaskId: string }[];
    const place = (taskIds: readonly string[], at: 'current' | 'retired' | 'removed') => {
      for (const taskId of taskIds) state.tasks.set(taskId, at);
    };
    if (type === 'run.started') {
      state.versionId = templateVersionId;
      place(
        begun('tasks').map(({ runTaskId }) => runTaskId),
        'current',
      );
    }
    if (type === 'run.migrated') {
      state.versionId = templateVersionId;
      state.rulesVersionId = null;
      place([...ids('kept'), ...ids('restored'), ...begun('added').map(({ runTaskId }) => runTaskId)], 'current');
      place(ids('retired'), 'retired');
      place(ids('removed'), 'removed');
    }
    if (type === 'run.rules_synchronized') state.rulesVersionId = templateVersionId;
  }
  return state;
}
