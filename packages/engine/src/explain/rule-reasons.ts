import type { ConditionValue } from '../process.ts';
import type { RuleOutcome, TracedCondition } from '../rules/evaluate.ts';
import type { PlacedRule } from '../rules/graph.ts';
import type { RunState } from '../state.ts';
import { cut } from '../text.ts';
import { displayValue, type Display } from './display-value.ts';
import type { Reason } from './explain.ts';
import { firstOf } from './first-of.ts';

/** Says that rules are the reason for something. `beginning` is the sentence up to the name of the rule. */
export interface RuleReasons {
  because(rule: PlacedRule, beginning: string, rest: RestOfReason): Reason;
  /** A reason for each rule that could show something; at most ten, the last of which says how many more there are. */
  unlessShownBy(rules: readonly PlacedRule[], beginning: string, rest: RestOfReason): Reason[];
}

type RestOfReason = Omit<Reason, 'message' | 'ruleId'>;

const maximumRules = 10;
const maximumCharacters = 100;
/** Many rules on many tasks would make millions of texts. Beyond this length, reasons leave out conditions. */
const maximumLength = 1_000_000;

/** Names rules and the conditions that decide whether they match, each with its current value. */
export function ruleReasonsOf(run: RunState, outcome: RuleOutcome, display: Display): RuleReasons {
  const { tasks, variables } = run.document;
  const fields = new Map(tasks.flatMap((task) => task.fields.map((field) => [field.id, field] as const)));
  const texts = new Map<PlacedRule, string>();
  let length = 0;

  /** The field or variable that a condition reads. A variable is named by its key. */
  const partOf = ({ source }: TracedCondition['condition']) => {
    if (source.type === 'FIELD') return fields.get(source.fieldId) ?? { label: source.fieldId, type: 'TEXT' as const };
    const variable = variables.find(({ key }) => key === source.key);
    return { label: variable?.name ?? source.key, type: variable?.type ?? ('TEXT' as const) };
  };

  const conditionText = ({ condition, value, isFulfilled }: TracedCondition): string => {
    const { operator, value: expected } = condition;
    const part = partOf(condition);
    const shown = (one: ConditionValue) => quoted(displayValue(part, one as string, display) ?? '');
    const operands = expected === undefined ? [] : Array.isArray(expected) ? expected : [expected];
    const compared = [operator, firstOf(operands, ', ', shown)].filter((text) => text !== '').join(' ');
    const actual = displayValue(part, value, display);
    return `"${part.label}" ${compared} ${isFulfilled ? 'holds' : 'does not hold'} (it is ${actual === null ? 'empty' : quoted(actual)})`;
  };

  const textOf = (placed: PlacedRule): string => {
    const known = texts.get(placed);
    if (known !== undefined) return known;
    const matches = outcome.matches(placed);
    const deciding = outcome.conditionsOf(placed).filter(({ isFulfilled }) => isFulfilled === matches);
    const text = firstOf(deciding, '; ', conditionText);
    texts.set(placed, text);
    return text;
  };

  const because = (placed: PlacedRule, beginning: string, rest: RestOfReason, ending = ''): Reason => {
    const { taskId, place, rule } = placed;
    const title = tasks[place[0]]?.title ?? taskId;
    const name = rule.name === null ? `rule ${place[1] + 1}` : `the rule "${rule.name}"`;
    const conditions = length > maximumLength ? '; its conditions are left out' : `: ${textOf(placed)}`;
    const message = `${beginning} ${name} of the task "${title}"${conditions}.${ending}`;
    length += message.length;
    return { ...rest, message, ruleId: rule.id };
  };

  return {
    because,
    unlessShownBy: (rules, beginning, rest) => {
      const listed = rules.slice(0, length > maximumLength ? 1 : maximumRules);
      const more = rules.length - listed.length;
      const ending = more > 0 ? ` ${more} more rules could show it.` : '';
      return listed.map((rule, index) => because(rule, beginning, rest, index === listed.length - 1 ? ending : ''));
    },
  };
}

function quoted(text: string): string {
  return text.length > maximumCharacters ? `"${cut(text, maximumCharacters)}…"` : `"${text}"`;
}
