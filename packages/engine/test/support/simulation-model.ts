import type { FieldValue } from '@runward/contract';
import { formats } from '@runward/contract';
import type { ProcessDocument, RunState, TaskDefinition, VariableValue } from '@runward/engine';
import { simulate, type Simulation, type SimulationSettings } from '@runward/engine';
import { rulesApplied, type RuleState } from './rule-model.ts';

/** Simulates a document to the end. */
export function simulated(document: ProcessDocument, settings: Partial<SimulationSettings> = {}): Simulation {
  const steps = simulate(document, formats, { cases: 10_000, paths: 1000, ...settings });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** A combination of values for the text fields and the variable `region`, and the result of the rules. */
export interface Combination {
  readonly values: ReadonlyMap<string, FieldValue>;
  readonly rules: RuleState;
}

/**
 * Every combination of these values. Fields: empty, `Ada` or another text. The variable: empty, `eu`, `US` or another
 * text.
 */
export function everyCombination(document: ProcessDocument): Combination[] {
  const read = new Set(
    document.tasks.flatMap(({ rules }) =>
      rules.flatMap(({ conditions }) =>
        conditions.map(({ source }) => (source.type === 'FIELD' ? source.fieldId : source.key)),
      ),
    ),
  );
  const fields = document.tasks.flatMap(({ fields }) => fields.filter(({ id }) => read.has(id)));
  const all = fields.reduce<Map<string, FieldValue>[]>(
    (before, { id }) => [null, 'Ada', 'Bob'].flatMap((value) => before.map((map) => new Map(map).set(id, value))),
    [new Map()],
  );
  const regions: VariableValue[] = read.has('region') ? [null, 'eu', 'US', 'elsewhere'] : ['EU'];
  return regions.flatMap((region) =>
    all.map((values) => ({ values, rules: rulesApplied(document, runWith(document, values, region)) })),
  );
}

/**
 * Whether every field that must be filled in has a value: required fields of required tasks, and of the tasks that
 * these wait for.
 */
export function isFinished({ tasks }: ProcessDocument, { values, rules: { hidden } }: Combination): boolean {
  const visible = tasks.filter(({ id }) => !hidden.has(id));
  const needed = new Set<TaskDefinition>(visible.filter(({ required }) => required));
  for (const { dependencies } of needed)
    for (const task of visible) if (dependencies.includes(task.id)) needed.add(task);
  return [...needed].every(({ fields }) =>
    fields.every(({ id, required }) => !required || hidden.has(id) || !values.has(id) || values.get(id) !== null),
  );
}

function runWith(document: ProcessDocument, values: ReadonlyMap<string, FieldValue>, region: VariableValue): RunState {
  const tasks = document.tasks.map((definition) => ({
    definition,
    entries: [
      { values: definition.fields.map(({ id: fieldId }) => ({ fieldId, value: values.get(fieldId) ?? null })) },
    ],
  }));
  // What the model of the rules reads of a run.
  return { variables: { region }, tasks } as unknown as RunState;
}
