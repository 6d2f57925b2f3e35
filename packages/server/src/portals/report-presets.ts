import { maximumPresets, type Contract, type Parts, type Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { listedNames, namesOutOfScope, namingInScope } from '../access/resource-scope/names.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { Organization } from '../organization/entities/organization.ts';
import { pageById } from '../paging.ts';
import { checkReport } from './check-report.ts';
import { ReportPreset } from './entities/report-preset.ts';
import { findPortals } from './find-portal.ts';
import { findPagesWithPreset } from './queries/find-pages-with-preset.ts';

/** Report presets (spec: Portal). */
export const reportPresets: Handlers<Parts['reportPresets']> = {
  list: async ({ query, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    const presets = await em.find(ReportPreset, { organizationId }, { orderBy: { id: 'desc' } });
    return pageById(await presetsInScope(context, presets), query, presentPreset);
  },

  create: async ({ body: { name, report }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId, userId: createdByUserId } = actor;
    const { problems, ensureInScope } = await checkReport(context, report, 'report.');
    if (problems.length > 0) throw badRequest(problems);
    ensureInScope();
    await ensureBelowPresetLimit(context);
    const preset = { organizationId, id: newId(), name, report, createdByUserId, createdAt: now };
    return presentPreset(em.create(ReportPreset, preset));
  },

  delete: async ({ params: { presetId: id }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    // Waits for pages that are about to name the preset, and makes others wait.
    if (!(await lockRow(em, ReportPreset, { organizationId, id }, 'update'))) throw notFound('Report preset');
    const preset = found(await em.findOne(ReportPreset, { organizationId, id }), 'Report preset');
    if ((await presetsInScope(context, [preset])).length === 0) throw namesOutOfScope(actor, 'preset');
    const pages = await findPagesWithPreset(em, preset);
    if (pages.length > 0) {
      const portals = new Set((await findPortals(context)).map(({ id }) => id));
      const visible = pages.filter(({ portalId }) => portals.has(portalId));
      const names = visible.map(({ title, portal }) => `"${title}" of "${portal}"`);
      const listed = listedNames(names, pages.length - visible.length);
      throw badRequest(
        'in_use',
        `The report preset cannot be deleted while pages of portals use it: ${listed}; change these pages and publish first.`,
      );
    }
    await em.nativeDelete(ReportPreset, { organizationId, id });
  },
};

async function presetsInScope(context: RequestContext, presets: readonly ReportPreset[]): Promise<ReportPreset[]> {
  return namingInScope(context, presets, ({ report }) => [report.filters]);
}

/** The lock makes concurrent requests wait, so that together they cannot exceed the limit. */
async function ensureBelowPresetLimit({ em, actor: { organizationId } }: RequestContext): Promise<void> {
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  if ((await em.count(ReportPreset, { organizationId })) < maximumPresets) return;
  throw badRequest(
    'limit_reached',
    `An organization can have at most ${maximumPresets} report presets; delete one first.`,
  );
}

function presentPreset(preset: ReportPreset): Response<Contract['portals.reportPresets']['create']> {
  const { id, name, report, createdByUserId, createdAt } = preset;
  return { id, name, report, createdByUserId, createdAt: createdAt.toISOString() };
}
