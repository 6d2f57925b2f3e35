import type { ReportMetric } from '@runward/contract';
import { shortened } from '../../exports/printed.ts';
import { html, type Markup } from '../html.ts';
import { axisOf, formatOf, type Axis } from './figures.ts';

/** What a chart draws. The data is also in a table, so people who cannot see the chart get its name only. */
export interface Chart {
  readonly name: string;
  readonly metric: ReportMetric;
  readonly rows: readonly { readonly label: string; readonly value: number | null; readonly text: string }[];
}

/** In pixels. Widths are in percent, so that a chart is as wide as the screen while its text keeps its size. */
const barRow = 46;
const plotTop = 18;
const plotHeight = 180;
const bottom = plotTop + plotHeight;
const chartHeight = bottom + 24;

const longestLabel = 36;
const maximumPoints = 40;

const percentOf = (part: number) => `${Math.round(part * 10_000) / 100}%`;
const pixels = (value: number) => Math.round(value * 100) / 100;

function mostOf({ rows }: Chart): number {
  return rows.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
}

function svg(name: string, height: number, content: readonly Markup[]): Markup {
  return html`<svg class="chart" role="img" aria-label="${name}" width="100%" height="${height}">${content}</svg>`;
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
  return svg(chart.name, chart.rows.length * barRow, bars);
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
  return svg(chart.name, chartHeight, [...grid(axis), ...bars, ...marks(axis, metric), ...labels(chart)]);
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
  const content = [...grid(axis), drawing, ...dots, ...marks(axis, metric), ...labels(chart)];
  return svg(chart.name, chartHeight, content);
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

function grid(axis: Axis): Markup[] {
  return axis.marks.map((mark) => {
    const y = heightOf(axis, mark);
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
  });
}

/** What the lines of the grid mean, above them. */
function marks(axis: Axis, metric: ReportMetric): Markup[] {
  const format = formatOf(metric);
  return axis.marks.map(
    (mark) => html`<text class="mark" x="0" y="${heightOf(axis, mark) - 4}">${format(mark)}</text>`,
  );
}

/** The first and the last row, and the one in the middle if there is room. */
function labels({ rows }: Chart): Markup[] {
  const last = rows.length - 1;
  const shown = rows.length > 4 ? [0, Math.floor(last / 2), last] : [0, last];
  return [...new Set(shown)].map((index) => {
    const isFirst = index === 0 && last > 0;
    const anchor = isFirst ? 'start' : index === last && last > 0 ? 'end' : 'middle';
    const x = isFirst ? '0' : anchor === 'end' ? '100%' : percentOf((index + 0.5) / rows.length);
    return html`<text x="${x}" y="${bottom + 18}" text-anchor="${anchor}">${rows[index]?.label ?? ''}</text>`;
  });
}
