import type { Block, FilterSet } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { ensureInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { badRequest } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { checkFilterSet, type CheckedFilterSet } from '../runs/lists/ensure-filter-set.ts';
import { checkReport } from './check-report.ts';
import type { Named } from './entities/portal-page.ts';
import { ReportPreset } from './entities/report-preset.ts';
import { checkMarks } from './marks-in.ts';
import { ensureMayShow } from './may-show.ts';
import { findImageTemplates, type ImageTemplate } from './queries/find-image-templates.ts';

type Context = Pick<RequestContext, 'em' | 'actor' | 'now'>;

/** The records that one block names, its problems, and a check that throws a 403. */
interface CheckedBlock {
  readonly named: Partial<Named>;
  readonly problems: readonly string[];
  readonly ensureInScope?: () => void;
}

/**
 * Checks the ids and ranges in blocks, and returns the records that they name. Throws a 400 with every problem and its
 * path, or a 403 if a block names something outside the caller's resource scope.
 */
export async function checkBlocks(context: Context, blocks: readonly Block[]): Promise<Named> {
  const { em, actor } = context;
  const assetIds = blocks.flatMap((block) => (block.type === 'IMAGE' ? block.assetId : []));
  const templates = await findImageTemplates(em, actor.organizationId, assetIds);
  const records = { templates, presets: await lockPresets(context, blocks) };
  const checked: CheckedBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    checked.push(await checkBlock(context, block, `blocks[${index}].`, records));
  }
  const problems = [...checked.flatMap((each) => each.problems), ...checkMarks(blocks)];
  if (problems.length > 0) throw badRequest(problems);
  for (const each of checked) each.ensureInScope?.();
  const all = (names: (named: Partial<Named>) => readonly string[] | undefined) => [
    ...new Set(checked.flatMap(({ named }) => names(named) ?? [])),
  ];
  return {
    templateIds: all(({ templateIds }) => templateIds),
    folderIds: all(({ folderIds }) => folderIds),
    presetIds: all(({ presetIds }) => presetIds),
  };
}

async function checkBlock(
  context: Context,
  block: Block,
  path: string,
  { templates, presets }: Records,
): Promise<CheckedBlock> {
  switch (block.type) {
    case 'RUN_LIST':
      return checkedRuns(context, block.filters, await checkFilterSet(context, block.filters, `${path}filters.`));
    case 'REPORT': {
      if (block.report)
        return checkedRuns(context, block.report.filters, await checkReport(context, block.report, `${path}report.`));
      const preset = presets.get(block.presetId ?? '');
      if (!preset) {
        const problem = 'not a report preset of this organization; see GET /portals/report-presets';
        return { named: {}, problems: [`${path}presetId: ${problem}`] };
      }
      // The records that the preset names were checked when it was saved, and may have been deleted since.
      const { filters } = preset.report;
      const { named, ...checked } = checkedRuns(context, filters, await checkFilterSet(context, filters, ''));
      return { ...checked, named: { ...named, presetIds: [preset.id] }, problems: [] };
    }
    case 'IMAGE': {
      const template = templates.get(block.assetId);
      if (!template) {
        const problem = 'not an image of a template of this organization; see POST /files/template-asset';
        return { named: {}, problems: [`${path}assetId: ${problem}`] };
      }
      return {
        named: { templateIds: [template.id] },
        problems: [],
        ensureInScope: () => ensureInScope(context.actor, template),
      };
    }
    default:
      return { named: {}, problems: [] };
  }
}

function checkedRuns(
  { actor }: Context,
  filters: FilterSet,
  { problems, ensureInScope }: CheckedFilterSet,
): CheckedBlock {
  const ensure = () => {
    ensureInScope();
    ensureMayShow(actor, filters);
  };
  const { templateIds = [], folderIds = [] } = filters;
  return { named: { templateIds, folderIds }, problems, ensureInScope: ensure };
}

/** The records that blocks name, by their ids. */
interface Records {
  readonly templates: ReadonlyMap<string, ImageTemplate>;
  readonly presets: ReadonlyMap<string, ReportPreset>;
}

/** The report presets that blocks show. They cannot be deleted before the transaction ends. */
async function lockPresets(
  { em, actor: { organizationId } }: Context,
  blocks: readonly Block[],
): Promise<Records['presets']> {
  const ids = blocks.flatMap((block) => (block.type === 'REPORT' ? (block.presetId ?? []) : []));
  // Locked in a fixed order, so that two requests do not wait for each other.
  for (const id of [...new Set(ids)].toSorted()) await lockRow(em, ReportPreset, { organizationId, id }, 'key share');
  const presets = ids.length === 0 ? [] : await em.find(ReportPreset, { organizationId, id: { $in: ids } });
  return new Map(presets.map((preset) => [preset.id, preset]));
}
