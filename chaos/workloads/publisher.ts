import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@runward/testing/random';
import type { Caller } from './client.ts';
import type { Template } from './prepare.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';

/**
 * Publishes versions with other rules every few seconds, or with other pauses, in milliseconds, so that active runs are
 * synchronized. The rule hides an optional task, so it does not affect how a run ends.
 */
export function startPublisher(
  caller: Caller,
  template: Template,
  random: Random,
  pauses: readonly [number, number],
): Stoppable {
  return untilStopped(async (signal) => {
    while (!signal.aborted) {
      const value = random.between(0, 15).toString(16);
      try {
        // Retries need no key: publishing the same draft twice makes another version with the same rules.
        await caller.read((api, options) =>
          api.templates.rules.update(
            template.templateId,
            template.formId,
            template.ruleId,
            ruleOf(template, value),
            options,
          ),
        );
        await caller.read((api, options) => api.templates.publish(template.templateId, {}, options));
      } catch {
        // The next round tries again.
      }
      await pause(random.between(...pauses), undefined, { signal }).catch(() => {});
    }
  });
}

/** A rule that hides the optional task if the text in the form contains a value. */
export function ruleOf({ fieldId, optionalId }: Pick<Template, 'fieldId' | 'optionalId'>, value: string) {
  return {
    conditions: [{ source: { type: 'FIELD' as const, fieldId }, operator: 'CONTAINS' as const, value }],
    actions: [{ type: 'HIDE' as const, taskIds: [optionalId] }],
  };
}
