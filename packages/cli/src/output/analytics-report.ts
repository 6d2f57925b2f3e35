import { duration, percent } from '@runward/engine';
import type { AdvancedAnalytics, AnalyticsSummary } from '@runward/sdk';
import { printTable, type Output } from './print.ts';
import { sparkline } from './sparkline.ts';

/** The longest sparkline. A terminal may have room for less. */
const longestSparkline = 60;
/** As wide as the first column of the table above. */
const nameColumn = 19;

/** Prints a summary for people: figures compared with the previous period, and the runs per day as sparklines. */
export function printSummary(output: Output, summary: AnalyticsSummary): void {
  const { range, previous, byStatus, perDay } = summary;
  output.write(output.bold(`${range.from} to ${range.to} (${range.timeZone})`));
  output.write('');
  const figures: readonly (readonly [string, string, string])[] = [
    ['runs', String(summary.total), String(previous.total)],
    ['running', String(byStatus.RUNNING), ''],
    ['overdue', String(byStatus.OVERDUE), ''],
    ['completed', String(byStatus.COMPLETED), ''],
    ['cancelled', String(byStatus.CANCELLED), ''],
    ['completion rate', percent(summary.completionRate), percent(previous.completionRate)],
    ['on time', percent(summary.onTimeRate), percent(previous.onTimeRate)],
    ['cycle time median', duration(summary.cycleTimeSeconds.median), duration(previous.cycleTimeSeconds.median)],
    ['cycle time p90', duration(summary.cycleTimeSeconds.p90), duration(previous.cycleTimeSeconds.p90)],
    ['cycle time mean', duration(summary.cycleTimeSeconds.average), duration(previous.cycleTimeSeconds.average)],
    ['overdue tasks', String(summary.overdueTasks), ''],
  ];
  printTable(output, ['figure', 'period', 'before'], figures);
  output.write('');
  const width = Math.max(10, Math.min(longestSparkline, output.width - nameColumn));
  for (const name of ['started', 'completed'] as const) {
    const numbers = perDay.map(({ [name]: number }) => number);
    output.write(`${name.padEnd(nameColumn)}${sparkline(numbers, width)}`);
  }
}

/** Prints the lists of the advanced analytics, each as a table if it is not empty. */
export function printLists(
  output: Output,
  { byTemplate, byOwner, byAssignee, bottlenecks, stalled }: AdvancedAnalytics,
): void {
  const figures = ['runs', 'completed', 'completion', 'on time', 'median'];
  const rowOf = (part: AdvancedAnalytics['byTemplate'][number] | AdvancedAnalytics['byOwner'][number]) => [
    part.name,
    String(part.total),
    String(part.byStatus.COMPLETED),
    percent(part.completionRate),
    percent(part.onTimeRate),
    duration(part.cycleTimeSeconds.median),
  ];
  printList(output, ['template', ...figures], byTemplate.map(rowOf));
  printList(output, ['owner', ...figures], byOwner.map(rowOf));
  printList(
    output,
    ['assignee', 'open', 'overdue', 'completed', 'median', 'p90'],
    byAssignee.map(({ name, openTasks, overdueTasks, completedTasks, durationSeconds }) => [
      name,
      String(openTasks),
      String(overdueTasks),
      String(completedTasks),
      duration(durationSeconds.median),
      duration(durationSeconds.p90),
    ]),
  );
  printList(
    output,
    ['slowest task', 'completed', 'median', 'p90', 'late'],
    bottlenecks.map(({ title, completedTasks, durationSeconds, overdueRate }) => [
      title,
      String(completedTasks),
      duration(durationSeconds.median),
      duration(durationSeconds.p90),
      percent(overdueRate),
    ]),
  );
  printList(
    output,
    ['stalled run', 'status', 'last activity', 'title'],
    stalled.map(({ publicId, status, lastActivityAt, title }) => [publicId, status, lastActivityAt, title]),
  );
}

function printList(output: Output, columns: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  output.write('');
  printTable(output, columns, rows);
}
