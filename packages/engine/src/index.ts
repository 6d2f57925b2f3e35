export { applyAll, fold, start, versionsNamedBy } from './apply.ts';
export { canonicalJson } from './audit/canonical-json.ts';
export { hashBeforeFirst, hashOf, type ActivityLine, type HashedLine } from './audit/chain.ts';
export { verifyChain, type ChainHead, type ChainProblem } from './audit/verify.ts';
export type {
  Command,
  CommandOf,
  FilePlace,
  FormTarget,
  LaunchCommand,
  LookedUpRow,
  StoredComment,
  SubmittedValue,
} from './commands.ts';
export { awaitedApprovers } from './decide/approval-decisions.ts';
export { decide, decideAll } from './decide/decide.ts';
export { keyUsedMessage } from './decide/entries.ts';
export { formEntryId } from './decide/form.ts';
export type { Decision, InvalidValue, Rejection, RejectionCode } from './decision.ts';
export { deadline } from './due.ts';
export { displayValue, type Display } from './explain/display-value.ts';
export type { Environment, Formats } from './environment.ts';
export { explain, type Explanation } from './explain/explain.ts';
export { traitsOf } from './field-types/table.ts';
export { maximumFiles } from './files.ts';
export { lastWorkAt, type CommentContent, type Fact, type FactOf, type FactType } from './facts.ts';
export { jsonBytes } from './json-bytes.ts';
export { definedVariables, launch, missingVariables, unfitVariables, unknownVariables } from './launch.ts';
export { arranged, byId, leftDefinition } from './migrated.ts';
export {
  emptyProcess,
  type ApprovalDefinition,
  type Documents,
  type DueRule,
  type FieldDefinition,
  type LookupDefinition,
  type FieldOption,
  type PhaseDefinition,
  type ProcessDocument,
  type RuleAction,
  type RuleCondition,
  type RuleDefinition,
  type TaskDefinition,
  type VariableDefinition,
  type VariableValue,
} from './process.ts';
export {
  activeRunStatuses,
  isActive,
  isOpen,
  isReady,
  isRetired,
  newestValue,
  nextDeadline,
  shownVariables,
  variablesOf,
  visibleFields,
  type ApprovalDecision,
  type ApprovalState,
  type EntryState,
  type RunState,
  type TaskState,
  type ValueState,
} from './state.ts';
export { newApproval, type ApprovalInput } from './template/approvals.ts';
export {
  dependencyTrees,
  findDependencyCycles,
  setDependencies,
  type DependencyNode,
} from './template/dependencies.ts';
export type { Change, ChangedEntity, PartProperties } from './template/compare-lists.ts';
export { diff } from './template/diff.ts';
export { detachDocument, type Detached, type DroppedPart } from './template/detach.ts';
export { duplicateDocument } from './template/duplicate.ts';
export type { Edited, EditRejection, PartKind } from './template/edit.ts';
export {
  addField,
  moveField,
  removeField,
  updateField,
  type FieldChanges,
  type FieldTarget,
  type NewField,
} from './template/fields.ts';
export { limits } from './template/limits.ts';
export { partKeys, type PartKeys } from './template/part-keys.ts';
export { addPhase, newPhase, removePhase, updatePhase, type NewPhase, type PhaseChanges } from './template/phases.ts';
export {
  addTask,
  blankTask,
  duplicateTasks,
  removeTask,
  removeTasks,
  updateTask,
  updateTasks,
  type DueRuleInput,
  type NewTask,
  type TaskChanges,
  type TaskUpdate,
} from './template/tasks.ts';
export {
  addRule,
  newRule,
  removeRule,
  reorderRules,
  updateRule,
  type ActionInput,
  type NewRule,
  type RuleChanges,
} from './template/rules.ts';
export { replaceDocument, type DocumentInput, type Replaced, type TaskInput } from './template/replace.ts';
export { validate } from './template/validate.ts';
export {
  addVariable,
  removeVariable,
  updateVariable,
  type NewVariable,
  type VariableChanges,
} from './template/variables.ts';
export type { Calendar, Clock, Instant, LocalDate } from './time.ts';
export { groupsIn, withoutGroups } from './template/without-groups.ts';
export { caseFolded, copyTitle } from './text.ts';
export { blockersOf } from './decide/blocking.ts';
export { duration, percent } from './figures.ts';
export { evaluate, type RuleInput, type RuleOutcome } from './rules/evaluate.ts';
export type { Finding } from './simulate/findings.ts';
export type { SimulatedPath } from './simulate/paths.ts';
export { simulate, type Simulation, type SimulationSettings } from './simulate/simulate.ts';
export { takesNoValue } from './rules/operators.ts';
export { searchOperatorsOf, valueFilterProblems } from './search-operators.ts';
export {
  comparableDate,
  exactMark,
  searchableSources,
  searchKeys,
  sourceOfVariable,
  textsContaining,
  textsEqualTo,
  type SearchableSource,
  type SearchKey,
} from './searchable.ts';
export { withRulesOf, type SkippedRule, type WithRules } from './rules/with-rules.ts';
export { checkValue, isFilled } from './values.ts';
export { variableTypeOf } from './variables.ts';
