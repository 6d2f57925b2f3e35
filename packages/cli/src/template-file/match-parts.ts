import {
  partKeys,
  type PhaseDefinition,
  type ProcessDocument,
  type RuleDefinition,
  type TaskDefinition,
} from '@runward/engine';
import type { TemplateFile } from './template-file.ts';

/** The parts of a document that the parts of a file are, each at the place of the file. Undefined: a new part. */
export interface MatchedParts {
  readonly phases: readonly (PhaseDefinition | undefined)[];
  readonly tasks: readonly (TaskDefinition | undefined)[];
  /** By task, then by rule. */
  readonly rules: readonly (readonly (RuleDefinition | undefined)[])[];
}

interface Entry {
  readonly key: string | null;
  readonly name: string | null;
}

/**
 * Finds the parts that a file describes: by key, then what is left by name. The key of a part without one is derived
 * from its name, like `templates pull` writes it.
 */
export function matchParts(file: TemplateFile, current: ProcessDocument): MatchedParts {
  const keys = partKeys(current);
  const titled = file.tasks.map(({ key, title }) => ({ key, name: title }));
  const phases = partsFor(current.phases, keys.phases);
  const tasks = partsFor(current.tasks, keys.tasks);
  const rules = partsFor(
    current.tasks.flatMap((task) => task.rules),
    keys.rules,
  );
  const [phasesByKey, tasksByKey] = [file.phases.map(phases.byKey), titled.map(tasks.byKey)];
  const rulesByKey = file.tasks.map((task) => task.rules.map(rules.byKey));
  const matched = titled.map((entry, index) => tasksByKey[index] ?? tasks.byName(entry, ({ title }) => title));
  return {
    phases: file.phases.map((entry, index) => phasesByKey[index] ?? phases.byName(entry, ({ name }) => name)),
    tasks: matched,
    rules: file.tasks.map((task, index) => {
      const siblings = new Set(matched[index]?.rules);
      return task.rules.map(
        (entry, place) => rulesByKey[index]?.[place] ?? rules.byName(entry, ({ name }) => name, siblings),
      );
    }),
  };
}

/** Takes parts, each once. Undefined if none is left. */
function partsFor<Part extends { readonly id: string }>(parts: readonly Part[], keys: ReadonlyMap<string, string>) {
  const byKey = new Map(parts.map((part) => [keys.get(part.id), part]));
  const left = new Set(parts);
  const taken = (part: Part | undefined) => {
    if (part) left.delete(part);
    return part;
  };
  return {
    byKey: ({ key }: Entry) => (key === null ? undefined : taken(byKey.get(key))),
    byName: ({ name }: Entry, nameOf: (part: Part) => string | null, among?: ReadonlySet<Part>) =>
      taken([...left].find((part) => nameOf(part) === name && (among?.has(part) ?? true))),
  };
}
