import { contract, formats, problemsOf, withInput, type BodyInput, type Contract } from '@runward/contract';
import { checkValue, missingVariables, type VariableDefinition, type VariableValue } from '@runward/engine';
import type { User } from '@runward/sdk';
import { parseValue, takenBy } from '@runward/sdk/form';

/** The request body of a launch. */
export type LaunchBody = BodyInput<Contract['runs']['launch']>;

/** The inputs of a launch as the texts that were entered. */
export interface LaunchTexts {
  readonly title?: string;
  readonly date?: string;
  readonly owner?: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Checks for launches. Null if the API key cannot read them; the server then does all checks. */
export interface LaunchRules {
  readonly templateId: string;
  readonly variables: readonly VariableDefinition[] | null;
  readonly members: readonly User[] | null;
}

/** The request body of a launch, and what is wrong with it. */
export interface CheckedBody {
  readonly body: LaunchBody;
  readonly errors: string[];
  /** The keys of required variables that have neither a value nor a default. */
  readonly missing: readonly string[];
}

/**
 * Builds the request body of a launch. Parses the texts of variables by type. Returns every error that can be found
 * without the server.
 */
export function toBody(texts: LaunchTexts, rules: LaunchRules): CheckedBody {
  const { title, date, owner } = texts;
  const errors: string[] = [];
  const variables: Record<string, VariableValue> = {};
  const unread = new Set<string>();
  for (const [key, text] of Object.entries(texts.variables)) {
    const read = readVariable(key, text, rules.variables);
    if ('error' in read) {
      errors.push(`var.${key}: ${read.error}`);
      unread.add(key);
    } else variables[key] = read.value;
  }
  if (owner !== undefined && rules.members && !rules.members.some(({ email }) => equalsIgnoringCase(email, owner))) {
    errors.push(`owner: no active member has the email address ${owner}`);
  }

  const body = {
    templateId: rules.templateId,
    ...(title !== undefined && { title }),
    ...(date !== undefined && { scheduledDateLocal: date }),
    ...(owner !== undefined && { ownerEmail: owner }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
  const missing = rules.variables
    ? missingVariables({ variables: rules.variables }, variables).filter((key) => !unread.has(key))
    : [];
  const parsed = contract.runs.launch.body.safeParse(body, withInput);
  if (parsed.success) return { body: parsed.data, errors, missing };
  const byPath = Map.groupBy(problemsOf(parsed.error, 'launch'), (problem) => problem.split(':')[0]);
  // What is no date need not also be said to be out of range.
  return { body, errors: [...errors, ...[...byPath.values()].flatMap(([first = '']) => nameOptions(first))], missing };
}

function readVariable(
  key: string,
  text: string,
  known: LaunchRules['variables'],
): { value: VariableValue } | { error: string } {
  if (known === null) return { value: text };
  const definition = known.find((candidate) => candidate.key === key);
  if (!definition) {
    const keys = known.map((candidate) => candidate.key).join(', ');
    return { error: `unknown variable; the template has ${keys || 'none'}` };
  }
  const value = parseValue(definition, text);
  // The length of texts is checked with the body, by the contract.
  const isMisfit = definition.type !== 'TEXT' && checkValue(definition, value, formats) !== null;
  if (isMisfit || Array.isArray(value)) return { error: `must be ${takenBy(definition).takes}, not "${text}"` };
  return { value };
}

/** Replaces the name of a parameter by the name of its option. */
function nameOptions(error: string): string {
  return error
    .replace(/^scheduledDateLocal/, 'date')
    .replace(/^ownerEmail/, 'owner')
    .replace(/^variables\./, 'var.');
}

function equalsIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
