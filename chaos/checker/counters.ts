import type { History, Violation } from '../history/history.ts';

/** Checks that the run counters equal the number of runs: no change was counted twice or left out. */
export function checkCounters({ counters }: Pick<History, 'counters'>): Violation[] {
  return counters.map(({ templateId, status, archived, counted, runs, countedTasks, tasks }) => ({
    rule: 'wrong counter',
    detail:
      `${counted} runs of the template ${templateId} with ${countedTasks} tasks are counted as ${status}${archived ? ', archived' : ''}; ` +
      `there are ${runs} with ${tasks}`,
  }));
}
