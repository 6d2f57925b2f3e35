import type { Client } from '@runward/sdk';

const slug = 'employee-onboarding';
const pageSlug = 'overview';

/** The portal of the demo: its URL and its text. */
export interface ShownPortal {
  readonly url: string;
  readonly html: string;
}

/**
 * Publishes a portal that shows everyone the state of the onboarding, and opens it like a browser. A later demo
 * publishes the same portal again.
 */
export async function publishPortal(runward: Client, baseUrl: string, templateId: string): Promise<ShownPortal> {
  const portals = await runward.portals.list().toArray({ limit: 1000 });
  const { id } =
    portals.find((portal) => portal.slug === slug) ??
    (await runward.portals.create({
      name: 'Onboarding',
      slug,
      description: 'How far the onboarding of new colleagues is.',
      audience: 'PUBLIC',
    }));
  const { data: pages } = await runward.portals.pages.list(id);
  const page =
    pages.find((one) => one.slug === pageSlug) ??
    (await runward.portals.pages.create(id, { title: 'Overview', slug: pageSlug }));
  await runward.portals.pages.setBlocks(id, page.id, { blocks: blocksOf(templateId) });
  await runward.portals.publish(id);
  const url = `${baseUrl}/p/${slug}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The portal ${url} returned ${response.status}.`);
  return { url, html: await response.text() };
}

function blocksOf(templateId: string): Parameters<Client['portals']['pages']['setBlocks']>[2]['blocks'] {
  const filters = { templateIds: [templateId] };
  return [
    { type: 'TEXT', markdown: 'Every new colleague has a **checklist**. This page shows how far they are.' },
    { type: 'HEADING', text: 'Now', level: 1 },
    { type: 'RUN_LIST', title: 'In progress', filters: { ...filters, statuses: ['RUNNING', 'OVERDUE'] }, limit: 50 },
    { type: 'HEADING', text: 'The last 30 days', level: 1 },
    { type: 'REPORT', report: { metric: 'RUNS', filters, groupBy: 'STATUS', chart: 'BAR' } },
    { type: 'REPORT', report: { metric: 'ON_TIME_RATE', filters, groupBy: 'NONE', chart: 'NUMBER' } },
  ];
}
