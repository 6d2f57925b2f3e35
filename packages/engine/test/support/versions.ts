import type { FieldDefinition, ProcessDocument, TaskDefinition } from '@runward/engine';
import * as fc from 'fast-check';
import { documents } from './document-arbitraries.ts';
import { frozen, options } from './documents.ts';

/** A version of a template. */
export interface Version {
  readonly id: string;
  readonly document: ProcessDocument;
}

/** Three versions of one template; a run is launched from the first, `version`. Equal ids mean the same part. */
export const versions: fc.Arbitrary<readonly Version[]> = fc
  .tuple(documents, changedDocuments(), changedDocuments())
  .map(([first, second, third]) => [
    { id: 'version', document: first },
    { id: 'version-2', document: second },
    { id: 'version-3', document: third },
  ]);

/** The document of a version. */
export function documentOf(versions: readonly Version[], id: string): ProcessDocument {
  const found = versions.find((version) => version.id === id);
  if (!found) throw new Error(`There is no version ${id}.`);
  return found.document;
}

/** Documents with the ids of the first version, in which some parts are missing, moved or changed to something else. */
function changedDocuments(): fc.Arbitrary<ProcessDocument> {
  return fc
    .record({
      document: documents,
      left: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
      isReversed: fc.boolean(),
      fewerOptions: fc.boolean(),
      variable: fc.constantFrom('EU', 12, true),
    })
    .map(({ document, left, isReversed, fewerOptions, variable }) => {
      const kept = document.tasks.filter((_, index) => !left.includes(index));
      const ids = new Set(kept.map(({ id }) => id));
      const fieldIds = new Set(kept.flatMap(({ fields }) => fields.map(({ id }) => id)));
      const changed = (task: TaskDefinition): TaskDefinition => ({
        ...task,
        dependencies: task.dependencies.filter((id) => ids.has(id)),
        fields: fewerOptions ? task.fields.map(withFewerOptions) : task.fields,
        rules: task.rules.filter((rule) => names(rule, ids, fieldIds)),
      });
      const tasks = kept.map(changed);
      const variables = document.variables.map((one) =>
        one.key === 'constructor' && typeof variable !== 'string'
          ? {
              ...one,
              type: typeof variable === 'number' ? ('NUMBER' as const) : ('BOOLEAN' as const),
              defaultValue: variable,
            }
          : one,
      );
      return frozen({ ...document, tasks: isReversed ? reversed(tasks) : tasks, variables });
    });
}

/**
 * Reverses the order of tasks without rules. Tasks with rules stay, because rules depend on each other in task order.
 */
function reversed(tasks: readonly TaskDefinition[]): TaskDefinition[] {
  return [
    ...tasks.filter(({ rules }) => rules.length > 0),
    ...tasks.filter(({ rules }) => rules.length === 0).reverse(),
  ];
}

function withFewerOptions(field: FieldDefinition): FieldDefinition {
  return field.options.length === 0 ? field : { ...field, options: options('m') };
}

function names(
  { conditions, actions }: TaskDefinition['rules'][number],
  taskIds: ReadonlySet<string>,
  fieldIds: ReadonlySet<string>,
): boolean {
  return (
    conditions.every(({ source }) => source.type === 'VARIABLE' || fieldIds.has(source.fieldId)) &&
    actions.every((action) => {
      if (action.type === 'SET_VARIABLE') return true;
      if (action.type === 'ASSIGN') return taskIds.has(action.taskId);
      return action.taskIds.every((id) => taskIds.has(id)) && action.fieldIds.every((id) => fieldIds.has(id));
    })
  );
}
