import { contract, type BodyInput, type Contract } from '@runward/contract';
import type { VariableDefinition, VariableValue } from '@runward/engine';
import { faultsOf } from '../faults.ts';
import type { Member } from '../lookup/member.ts';

/** What a launch sends. */
export type LaunchBody = BodyInput<Contract['runs']['launch']>;

/** What a person says about a launch, as text. */
export interface LaunchTexts {
  readonly title?: string;
  readonly date?: string;
  readonly owner?: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What texts are held against; null where the key may not read it, which leaves the check to the server. */
export interface LaunchRules {
  readonly templateId: string;
  readonly variables: readonly VariableDefinition[] | null;
  readonly members: readonly Member[] | null;
}

/** Makes the body of a launch: variables typed like their defaults, everything checked as far as it can be from here. */
export function toBody(texts: LaunchTexts, rules: LaunchRules): { body: LaunchBody; faults: string[] } {
  const { title, date, owner } = texts;
  const faults: string[] = [];
  const variables: Record<string, VariableValue> = {};
  for (const [key, text] of Object.entries(texts.variables)) {
    const read = readVariable(key, text, rules.variables);
    if ('fault' in read) faults.push(`var.${key}: ${read.fault}`);
    else variables[key] = read.value;
  }
  if (owner !== undefined && rules.members && !rules.members.some(({ email }) => same(email, owner))) {
    faults.push(`owner: no active member has the address ${owner}`);
  }

  const body = {
    templateId: rules.templateId,
    ...(title !== undefined && { title }),
    ...(date !== undefined && { scheduledDateLocal: date }),
    ...(owner !== undefined && { ownerEmail: owner }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
  const parsed = contract.runs.launch.body.safeParse(body);
  if (parsed.success) return { body: parsed.data, faults };
  return { body, faults: [...faults, ...faultsOf(parsed.error.issues).map(inWordsOfOptions)] };
}

function readVariable(
  key: string,
  text: string,
  known: LaunchRules['variables'],
): { value: VariableValue } | { fault: string } {
  if (known === null) return { value: text };
  const definition = known.find((candidate) => candidate.key === key);
  if (!definition) {
    const keys = known.map((candidate) => candidate.key).join(', ');
    return { fault: `the template has no such variable; it has ${keys || 'none'}` };
  }
  switch (typeof definition.defaultValue) {
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: `takes a number, not "${text}"` };
    case 'boolean':
      if (!/^(true|false)$/i.test(text)) return { fault: `takes true or false, not "${text}"` };
      return { value: text.toLowerCase() === 'true' };
    default:
      return { value: text };
  }
}

function inWordsOfOptions(fault: string): string {
  return fault
    .replace(/^scheduledDateLocal/, 'date')
    .replace(/^ownerEmail/, 'owner')
    .replace(/^variables\./, 'var.');
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
