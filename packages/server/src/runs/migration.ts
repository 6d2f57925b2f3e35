import type { Contract, Parts, Response } from '@runward/contract';
import { isRetired, type RunState, type TaskState } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { ApiError, badRequest, found } from '../api-error.ts';
import { newId } from '../ids.ts';
import { findVersionWithDocument, loadDocument } from '../templates/load-document.ts';
import { changeRun } from './change/change-run.ts';
import { decideAll } from './change/decide-and-save.ts';
import { findRun } from './read/find-run.ts';
import type { LoadedRun } from './store/load.ts';

type Migration = Response<Contract['runs']['migrate']>;

/** Returns the version that a run is to follow. */
type VersionOf = (run: LoadedRun) => string | Promise<string>;

/** Migrations of runs to other versions (spec: Runs, other operations). */
export const runMigration: Handlers<Parts['runMigration']> = {
  migrateToLatest: atomic(async ({ params: { id }, body, ...context }) =>
    migrate(context, id, ({ template }) => latestOf(template), body?.dryRun ?? false),
  ),

  migrate: atomic(async ({ params: { id }, body: { toVersionId, dryRun = false }, ...context }) =>
    migrate(context, id, (run) => ensureVersionOf(context, run, toVersionId), dryRun),
  ),
};

function latestOf({ id, publishedVersionId }: LoadedRun['template']): string {
  if (publishedVersionId === null) throw new Error(`The template ${id} has runs but no published version.`);
  return publishedVersionId;
}

/**
 * Throws a 400 if the template of the run has no such version, and a 403 if the version belongs to a template outside
 * the caller's resource scope.
 */
async function ensureVersionOf({ em, actor }: RequestContext, { template }: LoadedRun, id: string): Promise<string> {
  const version = await findVersionWithDocument(em, actor.organizationId, id);
  if (version?.templateId === template.id) return id;
  if (version) await ensureTemplateInScope(em, actor, version.templateId);
  throw badRequest([
    `toVersionId: the template of the run has no such version; see GET /templates/${template.id}/versions`,
  ]);
}

/** Migrates a run, or only decides the migration. Throws a 404, 403 or 400. */
async function migrate(
  context: RequestContext,
  runId: string,
  versionOf: VersionOf,
  dryRun: boolean,
): Promise<Migration> {
  const { em, actor } = context;
  const commandOf = async (run: LoadedRun) => {
    const toVersionId = await versionOf(run);
    const document = await loadDocument(em, actor.organizationId, toVersionId);
    return { type: 'migrate', toVersionId, document, runTaskIds: document.tasks.map(newId) } as const;
  };
  if (!dryRun) {
    const { before, state } = await changeRun(context, { runId }, commandOf);
    return reportOf(context, before, state);
  }
  const run = await findRun(context, runId, { forms: true });
  const decision = decideAll(run, [await commandOf(run)], context);
  if (decision.rejection) throw new ApiError(decision.rejection.code, decision.rejection.message);
  return reportOf(context, run.state, decision.state);
}

async function reportOf(
  { em, actor: { organizationId } }: RequestContext,
  before: RunState,
  after: RunState,
): Promise<Migration> {
  const followed = async ({ templateVersionId: versionId }: RunState) => {
    const { number } = found(await findVersionWithDocument(em, organizationId, versionId), 'Version');
    return { versionId, number };
  };
  const [had, has] = [currentTasks(before), currentTasks(after)];
  return {
    runId: after.id,
    from: await followed(before),
    to: await followed(after),
    changed: before.templateVersionId !== after.templateVersionId,
    tasks: {
      kept: has.filter((task) => contains(had, task)).map(presentMigrated),
      added: has.filter((task) => !contains(had, task)).map(presentMigrated),
      removed: had.filter((task) => !contains(after.tasks, task)).map(presentMigrated),
      retired: after.tasks.filter(isRetired).map(presentMigrated),
    },
    status: { before: before.status, after: after.status },
  };
}

function currentTasks({ tasks }: RunState): TaskState[] {
  return tasks.filter((task) => !isRetired(task));
}

function contains(tasks: readonly TaskState[], { id }: TaskState): boolean {
  return tasks.some((task) => task.id === id);
}

function presentMigrated({ definition: { id: taskId, title } }: TaskState): Migration['tasks']['kept'][number] {
  return { taskId, title };
}
