import type { ProcessDocument } from '@runward/engine';
import * as fc from 'fast-check';
import { field, frozen, phase, task, variable } from './documents.ts';

const name = fc.constantFrom('A', 'B');
const subset = (maximum: number) =>
  fc
    .shuffledSubarray(Array.from({ length: maximum }, (_, index) => String(index)))
    .chain((ids) => fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), name, home: fc.nat(5) }))));
const ids = (prefix: string, maximum: number) =>
  fc.shuffledSubarray(Array.from({ length: maximum }, (_, index) => `${prefix}-${index}`));

/**
 * Documents built from one small stock of parts. Two documents share some parts, possibly in another order, in another
 * task, or with other properties.
 */
export const relatedDocuments: fc.Arbitrary<ProcessDocument> = fc
  .record({
    phases: subset(3),
    tasks: subset(5),
    fields: subset(6),
    rules: subset(3),
    variables: subset(3),
    options: fc.array(fc.tuple(ids('option', 3), name), { minLength: 6, maxLength: 6 }),
    dependencies: fc.array(ids('task', 5), { minLength: 5, maxLength: 5 }),
  })
  .map(({ phases, tasks, fields, rules, variables, options, dependencies }) => {
    const at = <Part extends { readonly home: number }>(parts: readonly Part[], index: number) =>
      parts.filter(({ home }) => home % tasks.length === index);
    return frozen({
      phases: phases.map((each) => phase(each.id, { name: each.name })),
      variables: variables.map((each) => ({ ...variable(each.id), name: each.name })),
      tasks: tasks.map(({ id, name: title, home }, index) =>
        task(id, {
          title,
          due: home > 2 ? { from: 'LAUNCH', offset: `P${home}D`, hasTime: true } : null,
          dependencies: dependencies[index] ?? [],
          fields: at(fields, index).map((each) => {
            const [keys = [], label = ''] = options[each.home] ?? [];
            return field(each.id, { label: each.name, options: keys.map((key) => ({ key, label })) });
          }),
          rules: at(rules, index).map((each) => ({
            id: `rule-${each.id}`,
            name: each.name,
            match: 'ALL',
            conditions: [
              { source: { type: 'FIELD', fieldId: `field-${each.home}` }, operator: 'EQUALS', value: each.name },
            ],
            actions: [{ type: 'HIDE', taskIds: [`task-${each.home}`], fieldIds: [] }],
          })),
        }),
      ),
    });
  });
