import type { Referent } from '../field-types/field-type.ts';
import { traitsOf } from '../field-types/table.ts';
import type { FieldDefinition, ProcessDocument, RuleAction, RuleDefinition, TaskDefinition } from '../process.ts';

/** A part that was left out, and why. `path` consists of names: `Company details > assignee`. */
export interface DroppedPart {
  readonly path: string;
  readonly reason: string;
}

/** A document without references to its organization, and the parts that were left out. */
export interface Detached {
  readonly document: ProcessDocument;
  readonly dropped: readonly DroppedPart[];
}

/** The words that messages use for each kind of record that values refer to. */
const records: Partial<Record<Referent, string>> = { member: 'members', row: 'rows of a data source' };

/**
 * Removes all references to members, groups, data sources and rows of the organization. A rule that compares a field
 * with such a record is left out as a whole, because it would match something else without that condition. A rule that
 * only assigns is left out, too.
 */
export function detachDocument(document: ProcessDocument): Detached {
  const fields = new Map(document.tasks.flatMap((task) => task.fields.map((field) => [field.id, field])));
  const detached = document.tasks.map((task) => detachTask(task, fields));
  return {
    document: { ...document, tasks: detached.map(({ task }) => task) },
    dropped: detached.flatMap(({ dropped }) => dropped),
  };
}

type Fields = ReadonlyMap<string, FieldDefinition>;

function detachTask(task: TaskDefinition, allFields: Fields) {
  const dropped: DroppedPart[] = [];
  const drop = (name: string, reason: string) => dropped.push({ path: `${task.title} > ${name}`, reason });
  const { assigneeId, assigneeGroupId, approval } = task;
  if (assigneeId !== null) drop('assignee', 'Members are not imported; assign one of your own.');
  if (assigneeGroupId !== null) drop('assigned group', 'Groups are not imported; assign one of your own.');
  if (approval && (approval.approverIds.length > 0 || approval.approverGroupIds.length > 0)) {
    const remedy = 'name your own, or everyone with the scope runs:write may approve.';
    drop('approvers', `Members and groups are not imported; ${remedy}`);
  }
  const rules = task.rules.flatMap((rule, index) => {
    const name = rule.name ?? `rule ${index + 1}`;
    return detachRule(rule, allFields, (part, reason) => drop(`${name}${part}`, reason));
  });
  const fields = task.fields.map(({ dataSource, ...field }) => {
    if (dataSource) drop(field.label, 'Data sources are not imported; let the field look up rows of one of your own.');
    return field;
  });
  const anyone = approval && { ...approval, approverIds: [], approverGroupIds: [] };
  return { task: { ...task, assigneeId: null, assigneeGroupId: null, approval: anyone, rules, fields }, dropped };
}

/** The rule without its assignments. Empty if no useful action is left. */
function detachRule(
  rule: RuleDefinition,
  fields: Fields,
  drop: (part: string, reason: string) => void,
): RuleDefinition[] {
  const [compared] = rule.conditions.flatMap(({ source, value }) => {
    const field = source.type === 'FIELD' && value !== undefined ? fields.get(source.fieldId) : undefined;
    const { refersTo } = field ? traitsOf(field.type) : {};
    const lost = refersTo && records[refersTo];
    return lost === undefined ? [] : [`It compares "${field?.label}" with ${lost}, which are not imported`];
  });
  if (compared !== undefined) {
    drop('', `${compared}; add it again with your own.`);
    return [];
  }
  const kept = rule.actions.filter((action) => !isAssignment(action));
  if (kept.length === 0 && rule.actions.length > 0) {
    drop('', 'It only assigns tasks to members or groups, which are not imported; add it again with your own.');
    return [];
  }
  for (const [index, action] of rule.actions.entries()) {
    if (!isAssignment(action)) continue;
    drop(` > action ${index + 1}`, 'Members and groups are not imported; add the action again with one of your own.');
  }
  return [{ ...rule, actions: kept }];
}

function isAssignment({ type }: RuleAction): boolean {
  return type === 'ASSIGN';
}
