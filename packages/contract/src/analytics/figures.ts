import { z } from 'zod';
import { component } from '../component.ts';
import { runStatus, statusCounts } from '../runs/run.ts';
import { id, localDate } from '../values.ts';

/** The advanced analytics list at most this many templates, owners and assignees each. */
export const maximumGroups = 100;

/** The advanced analytics list at most this many bottlenecks and stalled runs each. */
export const maximumFindings = 50;

/** The most years that analytics cover. */
export const maximumYears = 10;

const count = (runs: string) => z.int().min(0).describe(runs);
const rate = (of: string) => z.number().min(0).max(1).nullable().describe(of);
const seconds = z.number().min(0).nullable();

const quantiles = {
  median: seconds.describe('Half of them took at most this long; null if there are none.'),
  p90: seconds.describe('Nine of ten took at most this long; null if there are none.'),
};

const durations = component(
  'TaskDurations',
  'How many seconds tasks took from when they could be worked on to their completion.',
  quantiles,
);

const cycleTimeSeconds = component(
  'CycleTime',
  'How many seconds completed runs took from their launch to their completion.',
  { average: seconds.describe('The mean; null if there are none.'), ...quantiles },
);

const total = count('Runs launched in the period, of every status.');
const completionRate = rate('Completed runs per run that was not cancelled; null if there is none.');
const onTimeRate = rate('Completed runs that were never OVERDUE per completed run; null if there is none.');
const byStatus = component('RunsByStatus', 'Numbers of runs by their present status.', statusCounts());

/** The figures of a set of runs. */
const figures = { total, byStatus, completionRate, onTimeRate, cycleTimeSeconds };

const summaryProperties = {
  range: component('AnalyticsRange', 'The days on which the runs were launched.', {
    from: localDate.describe('The first day.'),
    to: localDate.describe('The last day; it is included.'),
    timeZone: z.string().describe("The organization's time zone, in which days begin and end."),
  }),
  ...figures,
  overdueTasks: count('Visible open tasks of active runs whose deadline has passed.'),
  perDay: z
    .array(
      component('AnalyticsDay', 'A day of the period.', {
        date: localDate.describe('The day.'),
        started: count('Runs launched on this day.'),
        completed: count('Runs of the period completed on this day.'),
      }),
    )
    .describe('Every day of the period, in order.'),
  previous: component('PreviousPeriod', 'The same figures of the period of equal length before.', {
    total,
    completionRate,
    onTimeRate,
    cycleTimeSeconds,
  }),
};

const templateFigures = component('TemplateFigures', 'The figures of the runs of a template.', {
  templateId: id.describe('The template.'),
  name: z.string().describe('Its name.'),
  ...figures,
});

const ownerFigures = component('OwnerFigures', 'The figures of the runs that a member owns.', {
  userId: id.describe('The member who owns the runs.'),
  name: z.string().describe('Their name.'),
  ...figures,
});

const assigneeFigures = component(
  'AssigneeFigures',
  'The tasks that are assigned to a member directly, not through a group.',
  {
    userId: id.describe('The member to whom the tasks are assigned.'),
    name: z.string().describe('Their name.'),
    completedTasks: count('Completed tasks.'),
    openTasks: count('Open tasks of active runs.'),
    overdueTasks: count('Open tasks of active runs whose deadline has passed.'),
    durationSeconds: durations,
  },
);

const bottleneck = component('Bottleneck', 'A task that takes long.', {
  taskId: id.describe('The task of the template.'),
  title: z.string().describe('Its title in the latest of the versions that these runs follow.'),
  templateId: id.describe('The template.'),
  completedTasks: count('Completed tasks that the durations are of.'),
  durationSeconds: durations,
  overdueRate: rate('Of the completed tasks with a deadline, those completed after it; null if none had one.'),
});

const stalledRun = component('StalledRun', 'An active run without activity for some days.', {
  runId: id.describe('The run.'),
  publicId: z.string().describe('Its short id for display.'),
  title: z.string().describe('Its title.'),
  status: runStatus.describe('RUNNING or OVERDUE.'),
  templateId: id.describe('Its template.'),
  ownerUserId: id.describe('The member who owns it.'),
  lastActivityAt: z.iso.datetime().describe('When it was last worked on.'),
});

/** The summary of the runs of a period. */
export const summary = component('AnalyticsSummary', 'Figures of the runs launched in a period.', summaryProperties);

/** The summary, broken down by template, owner and assignee, with bottlenecks and stalled runs. */
export const advanced = component(
  'AdvancedAnalytics',
  'Figures of the runs launched in a period, also by template, owner and assignee.',
  {
    ...summaryProperties,
    byTemplate: z.array(templateFigures).describe(`Templates by descending \`total\`, at most ${maximumGroups}.`),
    byOwner: z.array(ownerFigures).describe(`Owners by descending \`total\`, at most ${maximumGroups}.`),
    byAssignee: z
      .array(assigneeFigures)
      .describe(`Assignees by descending number of open and completed tasks, at most ${maximumGroups}.`),
    bottlenecks: z
      .array(bottleneck)
      .describe(`The tasks with the longest median duration, at most ${maximumFindings}.`),
    stalled: z
      .array(stalledRun)
      .describe(
        `The active runs without activity for at least 7 days, or for \`stalledForDays\` of the filters, the longest first; at most ` +
          `${maximumFindings}.`,
      ),
  },
);
