import type { BodyInput, Contract } from '@runward/contract';
import { happen, type Step } from '@runward/server/test-support/history';
import { createPage, createPortal, publish } from '@runward/server/test-support/portals';
import type { TestApp } from '@runward/testing/app';
import type { TestOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import sharp from 'sharp';

type Blocks = BodyInput<Contract['portals.pages']['setBlocks']>['blocks'];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const companies = [
  'Acme',
  'Globex',
  'Initech',
  'Umbrella',
  'Hooli',
  'Müller & Söhne',
  'Wayne',
  'Stark',
  'Tyrell',
  'Soylent',
];
const tasks = ['Check the documents', 'Approve', 'Set up in accounting'];

/**
 * Fills an organization with runs of two processes from the last three months, and publishes a portal about them.
 * Returns the slug of the portal.
 */
export async function addSuppliers(app: TestApp, org: TestOrganization): Promise<string> {
  const { api } = org;
  const titles = tasks.map((title) => ({ title, due: { from: 'LAUNCH' as const, offset: 'P5D' } }));
  const { templateId } = await publishProcess(api, titles, { name: 'Supplier onboarding' });
  const renewal = await publishProcess(api, titles, { name: 'Contract renewal' });
  const now = Date.now();
  for (const [index, daysAgo] of launches().entries()) {
    const isRenewal = index % 3 === 2;
    const launchedAt = new Date(now - daysAgo * dayMs);
    const company = companies[(index * 7) % companies.length] ?? '';
    const title = isRenewal ? `${company}: contract ${100 + index}` : `${company} ${100 + index}`;
    await happen(app, org, {
      templateId: isRenewal ? renewal.templateId : templateId,
      launchedAt,
      options: { title },
      steps: stepsOf(index).filter(({ afterMs }) => launchedAt.getTime() + afterMs < now),
    });
  }
  return publishPortal(org, templateId);
}

/** How many days ago each run was launched, the earliest first. Launches increase over time, with a weekly rhythm. */
function launches(): number[] {
  const days = Array.from({ length: 90 }, (_, index) => 90 - index);
  return days.flatMap((day) => {
    const count = day % 7 < 2 ? 0 : 1 + ((day * 5) % 3) + (day < 45 ? 1 : 0);
    return Array.from({ length: count }, (_, index) => day - index / 10);
  });
}

/** Most runs are completed within a week, some late, and a few are cancelled. */
function stepsOf(index: number): Step[] {
  const step = (type: Step['type'], days: number, task = 0): Step => ({
    type,
    afterMs: days * dayMs,
    task,
    assigneeId: '',
  });
  if (index % 17 === 5) return [step('cancel', 2)];
  const pace = 0.6 + (index % 5) * 0.35 + (index % 11 === 3 ? 2 : 0);
  const late = pace * tasks.length > 5 ? [step('detectOverdue', 5.1)] : [];
  return [...late, ...tasks.map((_, task) => step('completeTask', pace * (task + 1), task))];
}

async function publishPortal({ api }: TestOrganization, templateId: string): Promise<string> {
  const { id, slug } = await createPortal(api, {
    name: 'Supplier portal',
    slug: 'suppliers',
    description: 'How far the onboarding of new suppliers is, and what they can expect.',
    audience: 'PUBLIC',
  });
  const file = new File([await banner()], 'banner.png', { type: 'image/png' });
  const { id: assetId } = await must(api.call('files', 'uploadTemplateAsset', { body: { templateId, file } }));
  const overview = await createPage(api, id, 'overview', overviewOf(assetId, templateId));
  const figures = await createPage(api, id, 'figures', reports);
  for (const { id: pageId, slug } of [overview, figures]) {
    const body = { title: slug === 'overview' ? 'Overview' : 'Figures' };
    await must(api.call('portals.pages', 'update', { params: { portalId: id, pageId }, body }));
  }
  await publish(api, id);
  return slug;
}

const overviewOf = (assetId: string, templateId: string): Blocks => [
  { type: 'IMAGE', assetId, alt: 'Hills in the morning' },
  {
    type: 'TEXT',
    markdown:
      'Welcome! We reply within **two working days**. An onboarding has three steps:\n\n1. We check your documents\n2. Purchasing approves\n3. Accounting sets you up',
  },
  { type: 'LINK', label: 'Terms of delivery', url: 'https://www.example.com/terms' },
  { type: 'DIVIDER' },
  { type: 'HEADING', text: 'Where we are', level: 1 },
  {
    type: 'RUN_LIST',
    title: 'In progress',
    filters: { templateIds: [templateId], statuses: ['RUNNING', 'OVERDUE'] },
    limit: 6,
  },
  {
    type: 'REPORT',
    title: 'Of the last 30 days',
    report: { metric: 'RUNS', filters: {}, groupBy: 'STATUS', chart: 'NUMBER' },
  },
];

const reports: Blocks = [
  { type: 'REPORT', report: { metric: 'RUNS', filters: {}, groupBy: 'STATUS', chart: 'BAR' } },
  { type: 'REPORT', report: { metric: 'RUNS', filters: {}, groupBy: 'DAY', chart: 'BAR' } },
  { type: 'REPORT', report: { metric: 'CYCLE_TIME_MEDIAN', filters: {}, groupBy: 'WEEK', chart: 'LINE' } },
  { type: 'REPORT', report: { metric: 'ON_TIME_RATE', filters: {}, groupBy: 'TEMPLATE', chart: 'TABLE' } },
];

function banner(): Promise<Buffer> {
  const hills = ['#7fa3c7', '#54799f', '#2f5374']
    .map((color, index) => {
      const y = 120 + index * 45;
      return `<path fill="${color}" d="M0 ${y} Q 200 ${y - 90} 420 ${y} T 840 ${y - 20} T 1200 ${y} V 260 H 0 Z"/>`;
    })
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="260"><rect width="1200" height="260" fill="#dce9f4"/><circle cx="930" cy="70" r="34" fill="#f6d98b"/>${hills}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
