import type { ReportMetric } from '@runward/contract';
import type { Axis } from '../../analytics/axis.ts';
import { html, type Markup } from '../html.ts';
import { axisOf, formatOf } from './figures.ts';

/** What a chart draws. The data is also in a table, so people who cannot see the chart get its name only. */
export interface Chart {
  readonly name: string;
  readonly metric: ReportMetric;
  readonly rows: readonly { readonly label: string; readonly value: number | null; readonly text: string }[];
}

/** In pixels. Widths are in percent, so that a chart is as wide as the screen while its text keeps its size. */
const plotTop = 8;
const plotHeight = 180;
const bottom = plotTop + plotHeight;
const chartHeight = bottom + 24;
const axisWidth = 62;

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

/**
 * A horizontal bar for each row, below its label. Bars of statuses have the colours of these statuses. The labels are
 * HTML, because text in SVG does not wrap.
 */
export function renderBars(chart: Chart, areStatuses: boolean): Markup {
  const most = chart.metric.endsWith('_RATE') ? 1 : mostOf(chart) || 1;
  return html`<div class="bars" role="img" aria-label="${chart.name}">
    ${chart.rows.map(
      ({ label, value, text }) =>
        html`<p><bdi>${label}</bdi> <span class="value">${text}</span></p>
          <svg class="chart" width="100%" height="12">
            <rect class="track" width="100%" height="12" rx="2" />
            <rect
              class="bar ${areStatuses && label.toLowerCase()}"
              width="${percentOf((value ?? 0) / most)}"
              height="12"
              rx="2"
            />
          </svg>`,
    )}
  </div>`;
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
  return plot(chart, axis, [...bars, ...labels(chart, (index) => (index + 0.5) * share)]);
}

/** A line through the rows, from the left to the right, with gaps where there is no value. */
export function renderLine(chart: Chart): Markup {
  const { metric, rows } = chart;
  const axis = axisOf(metric, mostOf(chart));
  // From the left edge to the right one, so that the labels of both ends are at their points.
  const place = (index: number) => (rows.length === 1 ? 0.5 : index / (rows.length - 1));
  const points = rows.map(({ value }, index) =>
    value === null ? null : { x: place(index), y: pixels(plotTop + (1 - value / axis.top) * plotHeight) },
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
  return plot(chart, axis, [drawing, ...dots, ...labels(chart, place)]);
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

/**
 * The labels of the first and the last row, and on wide screens of the one between them, at their places from 0 to 1.
 */
function labels({ rows }: Chart, place: (index: number) => number): Markup[] {
  const last = rows.length - 1;
  const label = (index: number, anchor: string) =>
    html`<text
      class="${anchor === 'middle' && last > 0 ? 'between' : 'end'}"
      x="${percentOf(place(index))}"
      y="${bottom + 18}"
      text-anchor="${anchor}"
    >
      ${rows[index]?.label}
    </text>`;
  if (last === 0) return [label(0, 'middle')];
  return [label(0, 'start'), ...(last > 3 ? [label(Math.floor(last / 2), 'middle')] : []), label(last, 'end')];
}
