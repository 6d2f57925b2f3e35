import type { Block } from '@runward/contract';
import { ensureInScope } from '../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { anyOf } from '../database/expressions.ts';
import { checkFilterSet } from '../runs/ensure-filter-set.ts';
import type { Named } from './entities/portal-page.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** What one block names, what is wrong with that, and a check that throws a 403. */
interface CheckedBlock {
  readonly named: Partial<Named>;
  readonly problems: readonly string[];
  readonly ensureInScope?: () => void;
}

/**
 * Checks the ids and ranges in blocks, and returns what they name. Throws a 400 with every problem and its path, or a 403 if a block names
 * something outside the caller's resource scope.
 */
export async function checkBlocks(context: Context, blocks: readonly Block[]): Promise<Named> {
  const templates = await findImages(context, blocks);
  const checked: CheckedBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    checked.push(await checkBlock(context, block, `blocks[${index}].`, templates));
  }
  const problems = checked.flatMap((each) => each.problems);
  if (problems.length > 0) throw badRequest(problems);
  for (const each of checked) each.ensureInScope?.();
  const all = (names: (named: Partial<Named>) => readonly string[] | undefined) => [
    ...new Set(checked.flatMap(({ named }) => names(named) ?? [])),
  ];
  return { templateIds: all(({ templateIds }) => templateIds), folderIds: all(({ folderIds }) => folderIds) };
}

async function checkBlock(
  context: Context,
  block: Block,
  path: string,
  templates: ReadonlyMap<string, ImageTemplate>,
): Promise<CheckedBlock> {
  switch (block.type) {
    case 'RUN_LIST': {
      const { templateIds = [], folderIds = [] } = block.filters;
      const checked = await checkFilterSet(context, block.filters, `${path}filters.`);
      return { ...checked, named: { templateIds, folderIds } };
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

interface ImageTemplate {
  readonly id: string;
  readonly folderId: string | null;
}

/** The templates of the images that blocks show, by the ids of the images. */
async function findImages(
  { em, actor }: Context,
  blocks: readonly Block[],
): Promise<ReadonlyMap<string, ImageTemplate>> {
  const ids = blocks.flatMap((block) => (block.type === 'IMAGE' ? block.assetId : []));
  if (ids.length === 0) return new Map();
  const rows = await em
    .getKysely()
    .selectFrom('template_assets as asset')
    .innerJoin('templates as template', (join) =>
      join
        .onRef('template.organization_id', '=', 'asset.organization_id')
        .onRef('template.id', '=', 'asset.template_id'),
    )
    .where('asset.organization_id', '=', actor.organizationId)
    .where('asset.id', '=', anyOf(ids))
    .select(['asset.id as assetId', 'template.id', 'template.folder_id as folderId'])
    .execute();
  return new Map(rows.map(({ assetId, ...template }) => [assetId, template]));
}
