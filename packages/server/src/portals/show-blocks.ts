import type { Block, Contract, Report, Response } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import type { Portal } from './entities/portal.ts';
import { ReportPreset } from './entities/report-preset.ts';
import { findDeleted } from './queries/find-deleted.ts';
import { showImages } from './show-images.ts';
import { showReport } from './show-report.ts';
import { showRunList } from './show-run-list.ts';

type ShownBlock = NonNullable<Response<Contract['portals']['view']>['pages'][number]['blocks']>[number];

/** Blocks with their live data and images. Deleted records are omitted, and a notice of the block mentions them. */
export async function showBlocks(
  context: Pick<RequestContext, 'em' | 'now' | 'ports'>,
  scope: RunScope,
  { audience }: Pick<Portal, 'audience'>,
  blocks: readonly Block[],
): Promise<ShownBlock[]> {
  const { em, now } = context;
  const { organizationId } = scope;
  const imageOf = await showImages(context, organizationId, blocks);
  const reportOf = await findReports(context, organizationId, blocks);
  const filters = blocks.flatMap((block) =>
    block.type === 'RUN_LIST' ? block.filters : block.type === 'REPORT' ? reportOf(block).filters : [],
  );
  const deleted = await findDeleted(em, organizationId, filters);
  const show = async (block: Block): Promise<ShownBlock> => {
    switch (block.type) {
      case 'IMAGE':
        return imageOf(block);
      case 'RUN_LIST':
        return { ...(await showRunList(em, scope, block)), notices: deleted(block.filters) };
      case 'REPORT': {
        const report = reportOf(block);
        const { notices, ...shown } = await showReport(em, scope, report, { now, audience });
        return {
          type: block.type,
          title: block.title ?? null,
          ...shown,
          notices: [...deleted(report.filters), ...notices],
        };
      }
      default:
        return block;
    }
  };
  const shown: ShownBlock[] = [];
  // Shown one after the other, so that a page with many blocks uses only one connection.
  for (const block of blocks) shown.push(await show(block));
  return shown;
}

type ReportBlock = Extract<Block, { type: 'REPORT' }>;

/** Finds the reports of blocks, including those of presets. */
async function findReports(
  { em }: Pick<RequestContext, 'em'>,
  organizationId: string,
  blocks: readonly Block[],
): Promise<(block: ReportBlock) => Report> {
  const ids = blocks.flatMap((block) => (block.type === 'REPORT' ? (block.presetId ?? []) : []));
  const presets = ids.length === 0 ? [] : await em.find(ReportPreset, { organizationId, id: { $in: ids } });
  const reports = new Map(presets.map(({ id, report }) => [id, report]));
  return ({ presetId = '', report = reports.get(presetId) }) => {
    // A preset cannot be deleted while a page uses it.
    if (!report) throw new Error(`The report preset ${presetId} of a page does not exist.`);
    return report;
  };
}
