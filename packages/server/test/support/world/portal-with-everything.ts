import type { Api } from '@runward/testing/api';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { publishedPortal, type Blocks } from '../portals.ts';
import { newAssetId } from './files.ts';

type Portal = Parameters<typeof publishedPortal>[2];
type Report = Extract<Blocks[number], { type: 'REPORT' }>['report'];

const markdown = `We reply within **two working days**. See the [terms](https://www.example.com/terms).

## How it works

1. Send the form
2. We check it

| Step  | Days |
| ----- | ---: |
| Check |    2 |

> Mind the \`deadline\`.
`;

const report = (settings: Partial<NonNullable<Report>> = {}): NonNullable<Report> => ({
  metric: 'RUNS',
  filters: {},
  groupBy: 'NONE',
  chart: 'NUMBER',
  ...settings,
});

/** Blocks of every type, with charts of every kind. */
const everyBlock = (assetId: string, createdFrom: string): Blocks => [
  { type: 'TEXT', markdown },
  { type: 'HEADING', text: 'State', level: 1 },
  { type: 'RUN_LIST', title: 'In progress', filters: {}, limit: 5 },
  { type: 'RUN_LIST', filters: { statuses: ['CANCELLED'] } },
  { type: 'HEADING', text: 'Figures', level: 3 },
  { type: 'REPORT', title: 'All orders', report: report() },
  { type: 'REPORT', report: report({ groupBy: 'STATUS' }) },
  { type: 'REPORT', title: 'Orders by state', report: report({ groupBy: 'STATUS', chart: 'BAR' }) },
  { type: 'REPORT', report: report({ groupBy: 'TEMPLATE', chart: 'BAR', metric: 'COMPLETION_RATE' }) },
  { type: 'REPORT', report: report({ groupBy: 'DAY', chart: 'BAR' }) },
  { type: 'REPORT', report: report({ groupBy: 'DAY', chart: 'LINE', metric: 'CYCLE_TIME_MEDIAN' }) },
  {
    type: 'REPORT',
    report: report({ groupBy: 'MONTH', chart: 'LINE', filters: { createdFrom }, metric: 'COMPLETED_RUNS' }),
  },
  { type: 'REPORT', report: report({ groupBy: 'WEEK', chart: 'TABLE', metric: 'OVERDUE_TASKS' }) },
  { type: 'REPORT', report: report({ groupBy: 'OWNER', chart: 'BAR' }) },
  { type: 'DIVIDER' },
  { type: 'IMAGE', assetId, alt: 'A pixel' },
  { type: 'LINK', label: 'Terms of delivery', url: 'https://www.example.com/terms' },
];

/** Publishes a portal whose page has blocks of every type, with a few runs of two templates. */
export async function portalWithEverything(api: Api, settings?: Portal) {
  const { templateId } = await publishProcess(api, undefined, { name: 'Supplier onboarding' });
  const other = await publishProcess(api, undefined, {
    name: 'Contract review of a long name that no chart has room for',
  });
  const { id } = await launchRun(api, templateId, { title: 'Acme' });
  await must(api.call('runs', 'cancel', { params: { id } }));
  for (const title of ['Globex', 'Initech']) {
    const run = await launchRun(api, templateId, { title });
    if (title === 'Globex') await complete(api, run);
  }
  await launchRun(api, other.templateId, { title: 'Umbrella' });
  const assetId = await newAssetId({ api }, templateId);
  const createdFrom = `${new Date().getUTCFullYear() - 1}-01-01`;
  return publishedPortal(api, everyBlock(assetId, createdFrom), { name: 'Suppliers', audience: 'PUBLIC', ...settings });
}

async function complete(api: Api, { tasks }: { tasks: readonly { runTaskId: string }[] }) {
  for (const { runTaskId: taskId } of tasks) {
    await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  }
}
