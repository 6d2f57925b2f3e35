import type { RequestContext } from '../access/request-context.ts';
import type { PdfDocument } from '../adapters/pdf.ts';
import { analyze } from '../analytics/analyze.ts';
import { namesOf } from '../analytics/queries/names.ts';
import type { Population } from '../analytics/queries/population.ts';
import { found } from '../api-error.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import { Organization } from '../organization/entities/organization.ts';
import { analyticsReport } from './analytics-report.ts';
import { layoutFiles, sourceOf } from './layout.ts';

const source = sourceOf('analytics');

/**
 * The advanced analytics of a population as PDF. `templateId` is the template of the runs, if it is only one. Reads the
 * data when the first chunk is requested.
 */
export function analyticsPdf(
  context: RequestContext,
  population: Population,
  templateId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const prepare = () => documentOf(context, population, templateId);
  return context.ports.pdf.make(context.actor.organizationId, prepare, signal);
}

async function documentOf(
  { em, actor, now }: RequestContext,
  population: Population,
  templateId: string | undefined,
): Promise<PdfDocument> {
  const { organizationId, userId } = actor;
  const organization = await em.findOne(Organization, { id: organizationId }, { disableIdentityMap: true });
  const { analytics, templates, members } = await inSnapshot(em, async (db) => {
    const figures = await analyze(db, population);
    const { bottlenecks, stalled } = figures;
    const templateIds = [...bottlenecks, ...stalled].map((each) => each.templateId);
    if (templateId !== undefined) templateIds.push(templateId);
    const memberIds = stalled.map(({ ownerUserId }) => ownerUserId);
    return {
      analytics: figures,
      templates: await namesOf(db, 'templates', organizationId, templateIds),
      members: await namesOf(db, 'users', organizationId, [...memberIds, userId]),
    };
  });
  const report = analyticsReport(analytics, {
    organization: found(organization, 'Organization').name,
    template: templateId === undefined ? null : (templates.get(templateId) ?? ''),
    generatedBy: members.get(userId) ?? '',
    isRestricted: actor.resourceScope.mode !== 'ALL',
    templates,
    members,
    now,
  });
  return { source, texts: { '/analytics.json': JSON.stringify(report) }, files: layoutFiles };
}
