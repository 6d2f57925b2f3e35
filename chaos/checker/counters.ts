import type { History, Violation } from '../history/history.ts';

/** The counters of runs say how many there are: no change was counted twice, and none was left out. */
export function checkCounters({ counters }: Pick<History, 'counters'>): Violation[] {
  return counters.map(({ templateId, status, archived, counted, runs, countedTasks, tasks }) => ({
    rule: 'wrong counter',
    detail:
      `${counted} runs of the template ${templateId} with ${countedTasks} tasks are counted as ${status}${archived ? ', archived' : ''}; ` +
      `there are ${runs} with ${tasks}`,
  }));
}
