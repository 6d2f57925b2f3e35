import type { Contract, Response } from '@runward/contract';
import { isRetired, type RunState, type TaskState } from '@runward/engine';
import type { Handlers } from '../access/handler.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { newId } from '../ids.ts';
import { TemplateVersion } from '../templates/entities/template-version.ts';
import { Template } from '../templates/entities/template.ts';
import { loadDocument } from '../templates/load-document.ts';
import { changeRun } from './change-run.ts';
import { decideAll } from './decide-and-save.ts';
import { Run } from './entities/run.ts';
import { loadRun } from './store/load.ts';

type Migration = Response<Contract['runs']['migrate']>;

/** Migrations of runs to other versions (spec: Runs, other operations). */
export const runMigration: Handlers<Pick<Contract['runs'], 'migrateToLatest' | 'migrate'>> = {
  migrateToLatest: {
    atomic: true,
    handle: async ({ params: { id }, body, ...context }) => {
      const templateId = await reachTemplateId(context, id);
      const template = { organizationId: context.actor.organizationId, id: templateId };
      const { publishedVersionId } = await context.em.findOneOrFail(Template, template, {
        fields: ['publishedVersionId'],
      });
      if (publishedVersionId == null) throw new Error(`The template ${templateId} has runs but no published version.`);
      return migrate(context, id, publishedVersionId, body?.dryRun ?? false);
    },
  },

  migrate: {
    atomic: true,
    handle: async ({ params: { id }, body: { toVersionId, dryRun = false }, ...context }) => {
      const templateId = await reachTemplateId(context, id);
      const { em, actor } = context;
      const { organizationId } = actor;
      const version = await em.findOne(
        TemplateVersion,
        { organizationId, id: toVersionId },
        { fields: ['templateId'] },
      );
      if (version) await ensureTemplateInScope(em, actor, version.templateId);
      if (version?.templateId !== templateId) {
        throw badRequest([
          `toVersionId: the template of the run has no such version; see GET /templates/${templateId}/versions`,
        ]);
      }
      return migrate(context, id, toVersionId, dryRun);
    },
  },
};

async function reachTemplateId({ em, actor }: RequestContext, id: string): Promise<string> {
  const { organizationId } = actor;
  const { templateId } = found(await em.findOne(Run, { organizationId, id }, { fields: ['templateId'] }), 'Run');
  await ensureTemplateInScope(em, actor, templateId);
  return templateId;
}

/** Migrates a run, or only decides to. Throws a 404, 403 or 400. */
async function migrate(
  context: RequestContext,
  runId: string,
  toVersionId: string,
  dryRun: boolean,
): Promise<Migration> {
  const { em, actor, now } = context;
  const { organizationId } = actor;
  const document = await loadDocument(em, organizationId, toVersionId);
  const command = { type: 'migrate', toVersionId, document, runTaskIds: document.tasks.map(newId) } as const;
  if (!dryRun) {
    const { before, state } = await changeRun(context, { runId }, command);
    return reportOf(context, before, state);
  }
  const run = found(await loadRun(em, organizationId, { runId }, { forms: true }), 'Run');
  const decision = decideAll(run, [command], now);
  if (decision.rejection) throw badRequest(decision.rejection.message);
  return reportOf(context, run.state, decision.state);
}

async function reportOf(
  { em, actor: { organizationId } }: RequestContext,
  before: RunState,
  after: RunState,
): Promise<Migration> {
  const ids = [before.templateVersionId, after.templateVersionId];
  const versions = await em.find(TemplateVersion, { organizationId, id: { $in: ids } }, { fields: ['id', 'number'] });
  const followed = (versionId: string) => {
    const { number } = found(versions.find(({ id }) => id === versionId) ?? null, 'Version');
    return { versionId, number };
  };
  const [had, has] = [currentTasks(before), currentTasks(after)];
  return {
    runId: after.id,
    from: followed(before.templateVersionId),
    to: followed(after.templateVersionId),
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
