import { formats } from '@runward/contract';
import { checkValue, isFilled, type VariableDefinition } from '@runward/engine';
import { parseValue, takenBy } from '@runward/sdk/form';
import type { Prompts } from '../terminal/prompts.ts';

/**
 * Asks for the values of required flow variables, and returns the texts that were entered by the keys of the variables.
 */
export async function askVariables(
  prompts: Prompts,
  variables: readonly VariableDefinition[],
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const variable of variables) texts[variable.key] = await askVariable(prompts, variable);
  return texts;
}

async function askVariable(prompts: Prompts, variable: VariableDefinition): Promise<string> {
  const message = `${variable.name ?? variable.key} (required)`;
  if (variable.type === 'BOOLEAN') return String(await prompts.yesNo(message, false));
  const { takes, example: hint } = takenBy(variable);
  const check = (text: string) => {
    const value = parseValue(variable, text);
    if (!isFilled(value)) return 'A value is required.';
    return checkValue(variable, value, formats) === null ? undefined : `must be ${takes}`;
  };
  return prompts.text(message, { check, ...(hint !== undefined && { hint }) });
}
