import type { ReportMetric } from '@runward/contract';
import type { Axis } from '../../axis.ts';
import { shortened } from '../../words.ts';
import { html, type Markup } from '../html.ts';
import { axisOf, formatOf } from './figures.ts';

/** What a chart draws. The data is also in a table, so people who cannot see the chart get its name only. */
export interface Chart {
  readonly name: string;
  readonly metric: ReportMetric;
  readonly rows: readonly { readonly label: string; readonly value: number | null; readonly text: string }[];
}

/** In pixels. Widths are in percent, so that a chart is as wide as the screen while its text keeps its size. */
const barRow = 46;
const plotTop = 8;
const plotHeight = 180;
const bottom = plotTop + plotHeight;
const chartHeight = bottom + 24;
const axisWidth = 62;

const longestLabel = 36;
const maximumPoints = 40;

const percentOf = (part: number) => `${Math.round(part * 10_000) / 100}%`;
const pixels = (value: number) => Math.round(value * 100) / 100;

function mostOf({ rows }: Chart): number {
  return rows.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
}

/** A chart with an axis beside it, whose width does not depend on that of the screen. */
function plot({ name, metric }: Chart, axis: Axis, content: readonly Markup[]): Markup {
  const format = formatOf(metric);
  const marks = axis.marks.map((mark) => {
    const text = mark === 0 ? 0 : format(mark);
    return html`<text class="mark" x="${axisWidth - 8}" y="${heightOf(axis, mark) + 4}" text-anchor="end"
      >${text}</text
    >`;
  });
  const grid = axis.marks.map((mark) => {
    const y = heightOf(axis, mark);
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
  });
  return html`<div class="plot" role="img" aria-label="${name}">
    <svg class="chart" width="${axisWidth}" height="${chartHeight}">${marks}</svg>
    <svg class="chart" width="100%" height="${chartHeight}">${grid}${content}</svg>
  </div>`;
}

/** A bar to the right for each row, below its label. */
export function renderBars(chart: Chart): Markup {
  const most = chart.metric.endsWith('_RATE') ? 1 : mostOf(chart) || 1;
  const bars = chart.rows.map(({ label, value, text }, index) => {
    const y = index * barRow;
    return html`<text x="0" y="${y + 15}">${shortened(label, longestLabel)}</text>
      <text class="value" x="100%" y="${y + 15}" text-anchor="end">${text}</text>
      <rect class="track" x="0" y="${y + 22}" width="100%" height="12" rx="2" />
      <rect class="bar" x="0" y="${y + 22}" width="${percentOf((value ?? 0) / most)}" height="12" rx="2" />`;
  });
  const height = chart.rows.length * barRow;
  return html`<svg class="chart" role="img" aria-label="${chart.name}" width="100%" height="${height}">${bars}</svg>`;
}

/** A bar upwards for each row, from the left to the right. */
export function renderColumns(chart: Chart): Markup {
  const { metric, rows } = chart;
  const axis = axisOf(metric, mostOf(chart));
  const share = 1 / rows.length;
  const bars = rows.map(({ value }, index) => {
    const height = pixels(((value ?? 0) / axis.top) * plotHeight);
    const width = percentOf(share * 0.8);
    return html`<rect
      class="bar"
      x="${percentOf((index + 0.1) * share)}"
      y="${bottom - height}"
      width="${width}"
      height="${height}"
    />`;
  });
  return plot(chart, axis, [...bars, ...labels(chart)]);
}

/** A line through the rows, from the left to the right, with gaps where there is no value. */
export function renderLine(chart: Chart): Markup {
  const { metric, rows } = chart;
  const axis = axisOf(metric, mostOf(chart));
  const points = rows.map(({ value }, index) =>
    value === null
      ? null
      : { x: (index + 0.5) / rows.length, y: pixels(plotTop + (1 - value / axis.top) * plotHeight) },
  );
  const lines = partsOf(points).map(
    (part) =>
      html`<polyline
        class="line"
        points="${part.map(({ x, y }) => `${pixels(x * 1000)},${y}`).join(' ')}"
        vector-effect="non-scaling-stroke"
      />`,
  );
  const dots = partsOf(points)
    .filter((part) => rows.length <= maximumPoints || part.length === 1)
    .flat()
    .map(({ x, y }) => html`<circle class="dot" cx="${percentOf(x)}" cy="${y}" r="3.5" />`);
  const drawing = html`<svg width="100%" height="${bottom}" viewBox="0 0 1000 ${bottom}" preserveAspectRatio="none">
    ${lines}
  </svg>`;
  return plot(chart, axis, [drawing, ...dots, ...labels(chart)]);
}

/** The runs of values without a gap. */
function partsOf<Point>(points: readonly (Point | null)[]): Point[][] {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point === null) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter((part) => part.length > 0);
}

const heightOf = (axis: Axis, mark: number) => pixels(plotTop + (1 - mark / axis.top) * plotHeight);

/** The first and the last row, and on wide screens the one between them. */
function labels({ rows }: Chart): Markup[] {
  const last = rows.length - 1;
  const label = (index: number, x: string, anchor: string) =>
    html`<text class="${anchor === 'middle' ? 'between' : 'end'}" x="${x}" y="${bottom + 18}" text-anchor="${anchor}">
      ${rows[index]?.label}
    </text>`;
  if (last === 0) return [label(0, '0', 'start')];
  const middle = Math.floor(last / 2);
  return [
    label(0, '0', 'start'),
    ...(last > 3 ? [label(middle, percentOf((middle + 0.5) / rows.length), 'middle')] : []),
    label(last, '100%', 'end'),
  ];
}
