import { must } from '@runward/testing/process';
import { newGroupId, newMemberId } from '../world/people.ts';
import { newPageId, newPortal, newPresetId, newRuleId, newSlug } from '../world/portals.ts';
import type { Ids, World } from '../world/world.ts';
import type { Examples } from './example.ts';

/** A portal of its own with a page that is not published. */
async function freshPortal(world: World) {
  const { id: portal } = await newPortal(world);
  return { portal, portalPage: await newPageId(world, portal) };
}

/** A published portal with a page that has changed since. */
async function changedPage(world: World): Promise<Partial<Ids>> {
  const made = await freshPortal(world);
  const params = { portalId: made.portal, pageId: made.portalPage };
  await must(world.api.call('portals', 'publish', { params }));
  const blocks = [{ type: 'TEXT' as const, markdown: 'Orders are placed **after** the first audit.' }];
  await must(world.api.call('portals.pages', 'setBlocks', { params, body: { blocks } }));
  return made;
}

const description = 'What suppliers need to know before their first order.';

const filtersOf = ({ template, folder, owner, field }: Ids) => ({
  values: [{ fieldId: field, operator: 'EQUALS' as const, value: 'DE811907980' }],
  statuses: ['RUNNING' as const, 'OVERDUE' as const],
  templateIds: [template],
  folderIds: [folder],
  ownerUserIds: [owner],
  scheduledFrom: '2026-01-01',
  scheduledTo: '2026-12-31',
  createdFrom: '2020-01-01',
  createdTo: '2999-12-31',
  stalledForDays: 0,
  search: 'onboarding',
  archived: false,
});

/** The same within the most years of a report. */
const filtersOfPeriod = (ids: Ids) => ({ ...filtersOf(ids), createdTo: '2029-12-31' });

const filtersOfMember = ({ template, member }: Ids) => ({
  templateIds: [template],
  assigneeIds: [member],
  values: [{ variable: 'surname', operator: 'IS_EMPTY' as const }],
});

const reportOf = (filters: ReturnType<typeof filtersOf> | ReturnType<typeof filtersOfMember>) => ({
  metric: 'COMPLETION_RATE' as const,
  filters,
  groupBy: 'MONTH' as const,
  chart: 'LINE' as const,
});

/** Calls of portals. */
export const portalExamples = {
  portals: {
    create: [{ body: () => ({ name: 'Supplier portal', slug: newSlug(), description, audience: 'PUBLIC' }) }],
    update: [
      {
        before: freshPortal,
        body: () => ({ name: 'Supplier portal EMEA', slug: newSlug(), description, audience: 'RESTRICTED' }),
      },
    ],
    delete: [{ before: freshPortal }],
    publish: [{}],
    unpublish: [{ before: changedPage }],
    view: [{}, { query: () => ({ page: 'overview' }) }],
  },
  'portals.pages': {
    create: [{ before: freshPortal, body: () => ({ title: 'Contacts', slug: 'contacts', position: 0 }) }],
    update: [{ body: () => ({ title: 'Overview for suppliers', slug: 'overview', position: 0 }) }],
    delete: [{ before: async (world) => ({ portalPage: await newPageId(world, world.ids.portal) }) }],
    // The sweeps put other ids into the first block.
    setBlocks: [
      {
        body: (ids) => ({
          blocks: [
            { type: 'RUN_LIST', title: 'Onboarding this year', filters: filtersOf(ids), limit: 20 },
            { type: 'HEADING', text: 'Before your first order', level: 2 },
            { type: 'TEXT', markdown: 'Send us your **VAT certificate**.' },
            { type: 'DIVIDER' },
            { type: 'LINK', label: 'Terms of delivery', url: 'https://www.example.com/terms' },
          ],
        }),
      },
      {
        body: (ids) => ({ blocks: [{ type: 'RUN_LIST', filters: filtersOfMember(ids) }] }),
      },
      { body: ({ preset }) => ({ blocks: [{ type: 'REPORT', title: 'By status', presetId: preset }] }) },
      { body: (ids) => ({ blocks: [{ type: 'REPORT', report: reportOf(filtersOfPeriod(ids)) }] }) },
      { body: (ids) => ({ blocks: [{ type: 'REPORT', report: reportOf(filtersOfMember(ids)) }] }) },
      {
        body: ({ asset }) => ({ blocks: [{ type: 'IMAGE', assetId: asset, alt: 'Our warehouse in Rotterdam' }] }),
      },
    ],
    publishChanges: [{ before: changedPage }],
  },
  'portals.reportPresets': {
    create: [
      { body: (ids) => ({ name: 'Completed on time', report: reportOf(filtersOfPeriod(ids)) }) },
      { body: (ids) => ({ name: 'Of Grace', report: reportOf(filtersOfMember(ids)) }) },
    ],
    delete: [{ before: async (world) => ({ preset: await newPresetId(world, world.ids.template) }) }],
  },
  'portals.accessRules': {
    create: [
      { before: async (world) => ({ member: await newMemberId(world) }), body: ({ member }) => ({ userId: member }) },
      {
        before: async (world) => ({ group: await newGroupId(world, world.ids.member) }),
        body: ({ group }) => ({ groupId: group }),
      },
    ],
    delete: [
      {
        before: async (world) => {
          const member = await newMemberId(world);
          return { accessRule: await newRuleId(world, world.ids.portal, member) };
        },
      },
    ],
  },
} as const satisfies Examples;
