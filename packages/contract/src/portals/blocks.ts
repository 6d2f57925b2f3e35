import { z } from 'zod';
import { reportGrouping, reportMetric } from '../analytics/report.ts';
import { component } from '../component.ts';
import { filterSet } from '../runs/filters.ts';
import { runStatus } from '../runs/run.ts';
import { email, id, integer, localDate, title, webUrl } from '../values.ts';
import { report } from './reports.ts';

/** The most blocks on a page. */
export const maximumBlocks = 100;

/** The most blocks of a page that show live data. */
export const maximumWidgets = 20;

/** The most runs that a RUN_LIST shows. */
const maximumListedRuns = 50;

/** Characters that browsers drop from a URL, or read as its end or as a slash. */
const misreadInUrls = /[\s\p{C}\\]/u;

/** Whether a link leads to a web page or an email address, and browsers read the URL as it is written. */
function isSafeUrl(url: string): boolean {
  if (misreadInUrls.test(url)) return false;
  if (/^mailto:/i.test(url)) return email.safeParse(url.slice('mailto:'.length)).success;
  if (!webUrl.safeParse(url).success) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

const linkUrl = z
  .string()
  .max(2048, 'must be at most 2048 characters')
  .refine(
    isSafeUrl,
    'must be an http or https URL or a mailto address, without spaces, control characters, backslashes or credentials',
  );

const heading = component('HeadingBlock', 'A heading on a page of a portal.', {
  type: z.literal('HEADING').describe('A heading.'),
  text: title.describe('What the heading says.'),
  level: z
    .int({ error: 'must be 1, 2 or 3' })
    .min(1, 'must be 1, 2 or 3')
    .max(3, 'must be 1, 2 or 3')
    .describe('1 for the largest, 3 for the smallest.'),
});

const text = component('TextBlock', 'Text on a page of a portal.', {
  type: z.literal('TEXT').describe('Text.'),
  markdown: z
    .string()
    .min(1, 'must not be empty')
    .max(20_000, 'must be at most 20000 characters')
    .refine(
      (markdown) => !/[^\P{Cc}\t\n\r]/u.test(markdown),
      'must not contain control characters except tabs and line breaks',
    )
    .describe(
      'Markdown of at most 20,000 characters. It is stored as it is, and sanitized when rendered. The texts of a page can have at most ' +
        '30,000 marks together: a line counts as three, an opening bracket as ten, and a cell of a table or another character with a meaning ' +
        'in Markdown as one.',
    ),
});

const alt = z
  .string()
  .trim()
  .max(500, 'must be at most 500 characters')
  .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'must not contain line breaks or control characters')
  .describe('What the image shows, for people who cannot see it; empty if it only decorates.');

const image = component('ImageBlock', 'An image on a page of a portal.', {
  type: z.literal('IMAGE').describe('An image.'),
  assetId: id.describe(
    'An image of a template, see `POST /files/template-asset`. 403 if the template is outside the resource scope of the API key.',
  ),
  alt,
});

const link = component('LinkBlock', 'A link on a page of a portal.', {
  type: z.literal('LINK').describe('A link.'),
  label: title.describe('What the link says.'),
  url: linkUrl.describe(
    'Where it leads: an absolute `http` or `https` URL, or `mailto:` and an address. Spaces, control characters, backslashes, user names ' +
      'and passwords are rejected.',
  ),
});

const divider = component('DividerBlock', 'A line between blocks of a page.', {
  type: z.literal('DIVIDER').describe('A line.'),
});

/** The heading of a block with live data. */
const widgetTitle = title.optional().describe('Heading of the block. Default: none.');

const runList = component('RunListBlock', 'The newest runs that match filters, on a page of a portal.', {
  type: z.literal('RUN_LIST').describe('A list of runs.'),
  title: widgetTitle,
  filters: filterSet,
  limit: integer(1, maximumListedRuns)
    .optional()
    .describe(`Maximum number of runs, newest first; at most ${maximumListedRuns}. Default: 10.`),
});

const reportBlock = z
  .strictObject({
    type: z.literal('REPORT').describe('A figure of runs.'),
    title: widgetTitle,
    presetId: id.optional().describe('A report preset. Excludes `report`.'),
    report: report.optional().describe('A report of this block alone. Excludes `presetId`.'),
  })
  .refine((block) => (block.presetId === undefined) !== (block.report === undefined), {
    error: 'must have either presetId or report',
  })
  .meta({ id: 'ReportBlock', description: 'A figure of runs on a page of a portal.' });

/** A part of a page, as editors write it. */
export const block = z
  .discriminatedUnion('type', [heading, text, image, link, divider, runList, reportBlock])
  .meta({ id: 'PortalBlock', description: 'A part of a page of a portal, as editors write it.' });

/** A part of a page, as editors write it. */
export type Block = z.output<typeof block>;

/** The types of the blocks that show live data. */
const widgetTypes: readonly Block['type'][] = ['RUN_LIST', 'REPORT'];

/** The blocks of a page, in order. */
export const blocks = z
  .array(block)
  .max(maximumBlocks, `must contain at most ${maximumBlocks} blocks`)
  .refine(
    (all) => all.filter(({ type }) => widgetTypes.includes(type)).length <= maximumWidgets,
    `must contain at most ${maximumWidgets} blocks of the type ${widgetTypes.join(' or ')}`,
  );

const viewNotice = z
  .enum(['TEMPLATE_DELETED', 'FOLDER_DELETED', 'IMAGE_DELETED', 'PERIOD_INVALID', 'OWNERS_HIDDEN'])
  .meta({ id: 'PortalViewNotice', description: 'Why a block shows less than its editor intended.' });

const notices = z
  .array(viewNotice)
  .describe(
    'Why the block shows less than intended; empty if nothing is missing. TEMPLATE_DELETED, FOLDER_DELETED: its filters name something that was ' +
      'deleted since; of a deleted template, the finished runs remain. IMAGE_DELETED: the image was deleted with its template. PERIOD_INVALID: ' +
      'the period of the report begins after it ends, or is longer than ten years. OWNERS_HIDDEN: a report by owner names members, which a ' +
      'PUBLIC portal does not show.',
  );

const shownImage = component('ShownImage', 'An image as a portal shows it.', {
  ...image.pick({ type: true, alt: true }).shape,
  url: z
    .url()
    .nullable()
    .describe('Signed URL of the image, valid until `expiresAt` without authentication; null if it was deleted.'),
  expiresAt: z.iso.datetime().nullable().describe('Until when `url` is valid; null without one.'),
  width: z.int().min(1).nullable().describe('In pixels; null if the image was deleted.'),
  height: z.int().min(1).nullable().describe('In pixels; null if the image was deleted.'),
  notices,
});

const shownRun = component('ShownRun', 'A run as a portal shows it: without ids and members.', {
  title: title.describe('Title of the run.'),
  status: runStatus.describe('Status of the run.'),
  scheduledDateLocal: localDate.describe("The day it is planned for, in the organization's time zone."),
  createdAt: z.iso.datetime().describe('When it was launched.'),
  completedAt: z.iso.datetime().nullable().describe('When it was completed; null if it is not.'),
});

const shownRunList = component('ShownRunList', 'A list of runs as a portal shows it.', {
  type: runList.shape.type,
  title: title.nullable().describe('Heading of the block; null for none.'),
  runs: z.array(shownRun).describe('The newest runs that match its filters, newest first.'),
  hasMore: z.boolean().describe('Whether more runs match than it shows.'),
  notices,
});

const shownReport = component('ShownReport', 'A report as a portal shows it: without ids and members.', {
  type: reportBlock.shape.type,
  title: title.nullable().describe('Heading of the block; null for none.'),
  metric: reportMetric.describe('The figure. Rates are fractions, cycle times are in seconds.'),
  groupBy: reportGrouping.describe('How the rows are grouped; NONE returns a single row.'),
  chart: report.shape.chart,
  period: component('ShownPeriod', 'The days that a report is about.', {
    from: localDate.describe('The first day.'),
    to: localDate.describe('The last day; it is included.'),
  })
    .nullable()
    .describe('The days that it is about; null if they are invalid.'),
  rows: z
    .array(
      component('ShownReportRow', 'A row of a report as a portal shows it.', {
        label: z
          .string()
          .describe('What the row is about: a name, a day, the first day of a week, or a month like `2026-03`.'),
        value: z.number().nullable().describe('The figure; null if there is nothing to compute it from.'),
      }),
    )
    .nullable()
    .describe('Its figures; null if `notices` says why there are none.'),
  notices,
});

/** A part of a page with its live data, as readers get it. */
export const shownBlock = z
  .discriminatedUnion('type', [heading, text, shownImage, link, divider, shownRunList, shownReport])
  .meta({ id: 'ShownBlock', description: 'A part of a page of a portal, as its readers get it.' });
