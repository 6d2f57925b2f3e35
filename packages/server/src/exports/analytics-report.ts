import { maximumFindings, maximumGroups, type Contract, type Response } from '@runward/contract';
import { duration, percent } from '@runward/engine';
import { dateTexts } from '../runs/read/display.ts';
import { shortTimes } from '../short-times.ts';
import { inWords, shortened } from '../words.ts';
import { chartOf } from './analytics-chart.ts';
import { oneLine, printed } from './printed.ts';
import { numbers, rates, tableOf, times, type Column } from './report-table.ts';

type Analytics = Response<Contract['analytics']['advanced']>;

/** What a report of analytics contains besides the figures. */
export interface AnalyticsContext {
  readonly organization: string;
  /** The template of the runs; null for all templates. */
  readonly template: string | null;
  readonly generatedBy: string;
  /** Whether the caller may only see the runs of some templates. */
  readonly isRestricted: boolean;
  /** The names, by id, of templates and members for which the figures only have ids. */
  readonly templates: ReadonlyMap<string, string>;
  readonly members: ReadonlyMap<string, string>;
  readonly now: Date;
}

type Assignee = Analytics['byAssignee'][number];
type Bottleneck = Analytics['bottlenecks'][number];

/** The advanced analytics, as `documents/analytics.typ` reads them. */
export function analyticsReport(analytics: Analytics, context: AnalyticsContext) {
  const { organization, template, generatedBy, isRestricted, now } = context;
  const { range, total } = analytics;
  const { date, dateTime } = dateTexts(range.timeZone);
  const period = `${date(range.from)} to ${date(range.to)}`;
  const facts = [
    ['Period', period],
    ['Time zone', range.timeZone],
    ['Template', template ?? (isRestricted ? 'All templates of the API key' : 'All templates')],
    ['Generated', dateTime(now.toISOString())],
  ] as const;
  return {
    title: `Run analytics, ${period}`,
    author: oneLine(organization),
    keywords: ['analytics', range.from, range.to],
    shortTitle: printed('Run analytics'),
    period,
    organization: printed(organization),
    facts: facts.map(([label, value]) => [label, printed(value)]),
    population: `The figures are of the runs launched in this period, as they were when the report was generated.`,
    footer: printed(`Generated ${dateTime(now.toISOString())} by ${shortened(oneLine(generatedBy), 80)}`),
    keyFigures: keyFiguresOf(analytics),
    statuses: statusesOf(analytics),
    chart: total === 0 ? null : chartOf(analytics.perDay, date),
    sections: total === 0 ? [] : sectionsOf(analytics, context),
  };
}

function keyFiguresOf({ previous, ...now }: Analytics) {
  const rows = [
    ['Runs', now.total.toLocaleString('en'), previous.total.toLocaleString('en')],
    ['Completion rate', percent(now.completionRate), percent(previous.completionRate)],
    ['On-time rate', percent(now.onTimeRate), percent(previous.onTimeRate)],
    ['Cycle time, average', duration(now.cycleTimeSeconds.average), duration(previous.cycleTimeSeconds.average)],
    ['Cycle time, median', duration(now.cycleTimeSeconds.median), duration(previous.cycleTimeSeconds.median)],
    ['Cycle time, 90th percentile', duration(now.cycleTimeSeconds.p90), duration(previous.cycleTimeSeconds.p90)],
    ['Overdue tasks', now.overdueTasks.toLocaleString('en'), ''],
  ] as const;
  return tableOf<(typeof rows)[number]>(
    [
      { header: 'Figure', value: ([name]) => name },
      { header: 'This period', width: 34, number: true, value: ([, value]) => value },
      { header: 'Period before', width: 34, number: true, value: ([, , value]) => value },
    ],
    rows,
  );
}

function statusesOf({ byStatus }: Analytics) {
  return tableOf<[string, number]>(
    [
      { header: 'Status', value: ([status]) => inWords(status) },
      { header: 'Runs', width: 34, number: true, value: ([, runs]) => runs.toLocaleString('en') },
    ],
    Object.entries(byStatus),
  );
}

function sectionsOf(
  { byTemplate, byOwner, byAssignee, bottlenecks, stalled, range }: Analytics,
  context: AnalyticsContext,
) {
  const { templates, members } = context;
  const { short } = shortTimes(range.timeZone);
  return [
    {
      heading: 'Templates',
      note: `Those with most runs first, at most ${maximumGroups}.`,
      table: tableOf(runColumns('Template'), byTemplate),
    },
    {
      heading: 'Owners',
      note: `Those with most runs first, at most ${maximumGroups}.`,
      table: tableOf(runColumns('Owner'), byOwner),
    },
    {
      heading: 'Assignees',
      note: `Tasks that are assigned to a member directly. Those with most tasks first, at most ${maximumGroups}.`,
      table: tableOf<Assignee>(
        [
          { header: 'Assignee', value: ({ name }) => printed(name, 'label') },
          numbers('Open', ({ openTasks }) => openTasks),
          numbers('Overdue', ({ overdueTasks }) => overdueTasks),
          numbers('Completed', ({ completedTasks }) => completedTasks),
          times('Median', ({ durationSeconds }) => durationSeconds.median),
          times('90th percentile', ({ durationSeconds }) => durationSeconds.p90),
        ],
        byAssignee,
      ),
    },
    {
      heading: 'Bottlenecks',
      note:
        'Tasks by the time from when they could be worked on to their completion, the longest median first, at most ' +
        `${maximumFindings}. Late: completed after the deadline, of those completed with a deadline.`,
      table: tableOf<Bottleneck>(
        [
          { header: 'Task', value: ({ title }) => printed(title, 'label') },
          {
            header: 'Template',
            width: 68,
            value: ({ templateId }) => printed(templates.get(templateId) ?? '', 'label'),
          },
          numbers('Completed', ({ completedTasks }) => completedTasks),
          times('Median', ({ durationSeconds }) => durationSeconds.median),
          times('90th percentile', ({ durationSeconds }) => durationSeconds.p90),
          rates('Late', ({ overdueRate }) => overdueRate),
        ],
        bottlenecks,
      ),
    },
    {
      heading: 'Stalled runs',
      note: `Active runs without activity for at least 7 days, the longest first, at most ${maximumFindings}.`,
      table: tableOf(
        [
          { header: 'Run', width: 32, value: ({ publicId }) => publicId },
          { header: 'Title', value: ({ title }) => printed(title, 'label') },
          {
            header: 'Template',
            width: 56,
            value: ({ templateId }) => printed(templates.get(templateId) ?? '', 'label'),
          },
          { header: 'Owner', width: 44, value: ({ ownerUserId }) => printed(members.get(ownerUserId) ?? '', 'cell') },
          { header: 'Status', width: 20, value: ({ status }) => inWords(status) },
          { header: 'Last activity', width: 34, value: ({ lastActivityAt }) => short(lastActivityAt) },
        ],
        stalled,
      ),
    },
  ];
}

type RunFigures = Analytics['byTemplate'][number] | Analytics['byOwner'][number];

function runColumns(header: string): Column<RunFigures>[] {
  return [
    { header, value: ({ name }) => printed(name, 'label') },
    numbers('Runs', ({ total }) => total),
    numbers('Running', ({ byStatus }) => byStatus.RUNNING),
    numbers('Overdue', ({ byStatus }) => byStatus.OVERDUE),
    numbers('Completed', ({ byStatus }) => byStatus.COMPLETED),
    numbers('Cancelled', ({ byStatus }) => byStatus.CANCELLED),
    rates('Completion', ({ completionRate }) => completionRate),
    rates('On time', ({ onTimeRate }) => onTimeRate),
    times('Average', ({ cycleTimeSeconds }) => cycleTimeSeconds.average),
    times('Median', ({ cycleTimeSeconds }) => cycleTimeSeconds.median),
    times('90th percentile', ({ cycleTimeSeconds }) => cycleTimeSeconds.p90),
  ];
}
