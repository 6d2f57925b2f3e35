import type { ReportGrouping, ReportMetric } from '@runward/contract';
import { shortTimes } from '../../short-times.ts';
import { html, type Markup } from '../html.ts';
import { renderBars, renderColumns, renderLine, type Chart } from './charts.ts';
import { formatOf, labelOf } from './figures.ts';
import { heading, type Place } from './heading.ts';
import type { ShownBlock } from './view.ts';

type Report = Extract<ShownBlock, { type: 'REPORT' }>;

const metricNames: Readonly<Record<ReportMetric, string>> = {
  RUNS: 'Runs',
  COMPLETED_RUNS: 'Completed runs',
  COMPLETION_RATE: 'Completion rate',
  ON_TIME_RATE: 'On-time rate',
  CYCLE_TIME_MEDIAN: 'Median cycle time',
  CYCLE_TIME_AVERAGE: 'Average cycle time',
  OVERDUE_TASKS: 'Overdue tasks',
};

const groupNames: Readonly<Record<ReportGrouping, string>> = {
  NONE: 'Runs',
  STATUS: 'Status',
  TEMPLATE: 'Template',
  OWNER: 'Owner',
  DAY: 'Day',
  WEEK: 'Week from',
  MONTH: 'Month',
};

/** Beyond that many, figures are in a table rather than side by side. */
const maximumTiles = 12;

/** A report: a figure, or a chart with its data as a table. */
export function renderReport(report: Report, { id, level }: Place): Markup {
  const { title, metric, groupBy, period } = report;
  const what = groupBy === 'NONE' ? metricNames[metric] : `${metricNames[metric]} by ${groupBy.toLowerCase()}`;
  const days = shortTimes('UTC');
  const day = (date: string) => days.short(date, false);
  return html`<section class="widget" aria-labelledby="${id}">
    ${heading(level, html`${title ?? what}`, 'widget-title', id)}
    <p class="note">${title !== null && html`${what}, `}${period && html`${day(period.from)} to ${day(period.to)}`}</p>
    ${figures(report, id, what)}
  </section>`;
}

/** Whether a report is one number, which has room beside others. */
export function isOneFigure(block: ShownBlock): block is Report {
  return block.type === 'REPORT' && block.groupBy === 'NONE' && block.chart !== 'TABLE';
}

function figures({ rows, chart, metric, groupBy, period }: Report, id: string, what: string): Markup {
  // Why there are none concerns the editors, to whom the API says it.
  if (rows === null) return html`<p class="note">There are no figures to show.</p>`;
  if (rows.length === 0) return html`<p class="note">No runs in this period.</p>`;
  const format = formatOf(metric);
  const label = labelOf(groupBy);
  // The week that contains the first day begins on it, because nothing before counts.
  const startOf = (day: string) => (groupBy === 'WEEK' && period && day < period.from ? period.from : day);
  const shown = rows.map((row) => ({ label: label(startOf(row.label)), value: row.value, text: format(row.value) }));
  const table = html`<table class="data" aria-labelledby="${id}">
    <thead>
      <tr>
        <th scope="col">${groupNames[groupBy]}</th>
        <th scope="col" class="number">${metricNames[metric]}</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map(
        (row) =>
          html`<tr>
            <th scope="row"><bdi>${row.label}</bdi></th>
            <td class="number">${row.text}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
  if (chart === 'TABLE') return table;
  if (chart === 'NUMBER' || groupBy === 'NONE') return shown.length > maximumTiles ? table : tiles(shown, groupBy);
  const drawn: Chart = { name: `Chart: ${what}. Its data is in the table below.`, metric, rows: shown };
  return html`<figure>
    ${draw(drawn, chart, groupBy)}
    <details>
      <summary>Show the data</summary>
      ${table}
    </details>
  </figure>`;
}

function draw(chart: Chart, kind: 'BAR' | 'LINE', groupBy: ReportGrouping): Markup {
  const isOverTime = groupBy === 'DAY' || groupBy === 'WEEK' || groupBy === 'MONTH';
  if (!isOverTime) return renderBars(chart, groupBy === 'STATUS');
  return kind === 'LINE' ? renderLine(chart) : renderColumns(chart);
}

function tiles(rows: Chart['rows'], groupBy: ReportGrouping): Markup {
  return html`<dl class="tiles">
    ${rows.map(
      ({ label, text }) =>
        html`<div>
          <dt ${groupBy === 'NONE' && html`class="only-read"`}><bdi>${label}</bdi></dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`;
}
