import type { ProcessDocument } from '../process.ts';
import { evaluate, type RuleOutcome } from '../rules/evaluate.ts';
import { graphOf, type Target } from '../rules/graph.ts';
import { isFilled } from '../values.ts';
import type { Domain } from './domains.ts';
import { waitingFor, type Group } from './groups.ts';
import { search, type Choices, type Question, type Space } from './search.ts';

/** One possible end result of the rules of a group. */
export interface GroupOutcome {
  /** Example choices that lead to this outcome, in a possible order. */
  readonly choices: Choices;
  /** The tasks and fields that rules can hide and that are visible. */
  readonly shown: readonly Target[];
}

/** The outcomes of a group, each once. */
export interface GroupOutcomes {
  readonly outcomes: readonly GroupOutcome[];
  readonly complete: boolean;
  readonly tried: number;
}

/** The outcome of the rules for given values. Evaluated lazily. */
export function outcomeOf(document: ProcessDocument, read: Parameters<Question<unknown>>[0]): RuleOutcome {
  const variables = {};
  for (const { key } of document.variables) {
    Object.defineProperty(variables, key, { get: () => read(`variable:${key}`) });
  }
  return evaluate(document, { valueOf: (fieldId) => read(`field:${fieldId}`), variables });
}

/** Whether a field and its task are visible. */
export function isVisible(document: ProcessDocument, outcome: RuleOutcome, target: Target): boolean {
  if (!target.startsWith('field:')) return !outcome.isHidden(target);
  const taskId = graphOf(document).taskOfField.get(target.slice('field:'.length)) ?? '';
  return !outcome.isHidden(`task:${taskId}`) && !outcome.isHidden(target);
}

/**
 * The outcomes of a group in finished runs, in which every required field has a value. Outcomes differ in what is
 * visible, in the assignee of a visible task, or in a variable that rules set.
 */
export function* outcomesOf(
  document: ProcessDocument,
  group: Group,
  space: DomainSpace,
): Generator<number, GroupOutcomes> {
  const found = new Map<string, GroupOutcome>();
  const domains = new Map([...space.domains].map(([input, domain]) => [input, atTheEnd(domain)]));
  const question: Question<{ key: string; shown: Target[] } | null> = (read) => {
    const empty = new Set<Target>();
    const outcome = outcomeOf(document, (input) => {
      const value = read(input);
      if (!isFilled(value)) empty.add(input);
      return value;
    });
    const parts = group.targets.map((target) => describe(document, outcome, target));
    if ([...empty].some((input) => isAwaited(document, outcome, space.domains.get(input)))) return null;
    const shown = group.targets.filter((target, index) => /^(task|field):/.test(target) && parts[index] === true);
    return { key: JSON.stringify(parts), shown };
  };
  const { complete, tried } = yield* search({ ...space, domains }, question, ({ choices, result }) => {
    if (result && !found.has(result.key)) found.set(result.key, { choices, shown: result.shown });
  });
  return { outcomes: [...found.values()], complete, tried };
}

/** A search space, with the domain of everything that rules read. */
export interface DomainSpace extends Space {
  readonly domains: ReadonlyMap<Target, Domain>;
}

/** The values that a field can have when its task is completed. */
function atTheEnd(domain: Domain): Domain {
  const { read, task, values } = domain;
  const filled = values.filter(isFilled);
  return task?.required && 'required' in read && read.required && filled.length > 0
    ? { ...domain, values: filled }
    : domain;
}

/**
 * Whether a required field of an optional task must be filled in, because a visible required task waits for its task.
 */
function isAwaited(document: ProcessDocument, outcome: RuleOutcome, domain: Domain | undefined): boolean {
  if (!domain?.task || !('required' in domain.read) || !domain.read.required || domain.task.required) return false;
  const waiting = waitingFor(document, domain.task, ({ id }) => !outcome.isHidden(`task:${id}`));
  return waiting.some(({ required }) => required);
}

function describe(document: ProcessDocument, outcome: RuleOutcome, target: Target): unknown {
  const name = target.slice(target.indexOf(':') + 1);
  if (target.startsWith('variable:')) {
    const value = outcome.variableOf(name);
    return value === undefined ? null : [value];
  }
  if (!target.startsWith('assignee:')) return isVisible(document, outcome, target);
  if (outcome.isHidden(`task:${name}`)) return null;
  const action = outcome.assignmentOf(name);
  return action && [action.assigneeId, action.assigneeGroupId];
}
