import type { Contract, Response } from '@runward/contract';
import type { DroppedPart, ProcessDocument, TaskDefinition } from '@runward/engine';
import type { TemplateSettings } from '../../access/find-template.ts';
import type { TemplateVersion } from '../entities/template-version.ts';

type Preview = Response<Contract['sharedTemplates']['preview']>;

/** A shared version for readers in other organizations. It has no ids: parts refer to each other by name. */
export function presentPreview(
  { name, description, runTitlePattern, backgroundAssetId }: TemplateSettings,
  { publishedAt }: Pick<TemplateVersion, 'publishedAt'>,
  document: ProcessDocument,
  dropped: readonly DroppedPart[],
): Preview {
  const phaseNames = new Map(document.phases.map((phase) => [phase.id, phase.name]));
  const titles = new Map(document.tasks.map((task) => [task.id, task.title]));
  const task = (each: TaskDefinition): Preview['tasks'][number] => ({
    title: each.title,
    description: each.description,
    phase: phaseNames.get(each.phaseId ?? '') ?? null,
    required: each.required,
    repeatable: each.repeatable,
    due: each.due,
    requiresApproval: each.approval !== null,
    dependencies: each.dependencies.flatMap((id) => titles.get(id) ?? []),
    ruleCount: each.rules.length,
    fields: each.fields.map(({ key, label, type, required, helpText, options }) => {
      return { key, label, type, required, helpText, options: [...options] };
    }),
  });
  return {
    name,
    description: description ?? null,
    runTitlePattern: runTitlePattern ?? null,
    publishedAt: publishedAt.toISOString(),
    hasBackgroundImage: backgroundAssetId != null,
    phases: document.phases.map(({ name, description }) => ({ name, description })),
    tasks: document.tasks.map(task),
    variables: document.variables.map(({ key, name, type, description, defaultValue }) => {
      return { key, name, type, description, defaultValue };
    }),
    dropped: [...dropped],
  };
}
