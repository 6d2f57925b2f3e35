import { compare } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { startRunward } from '../harness/service.ts';
import { startReceiverProcess } from '../load/receiver-process.ts';
import { disableWebhooks } from '../seed/disable-webhooks.ts';
import { clientOf } from '../seed/file-target.ts';
import { createForms, tasks } from './forms.ts';

/** What runs of ten forms cost while a receiver gets their events. The baseline is the same runs without a webhook. */
export const subscriber: Part = {
  name: 'subscriber',
  needs: 'seed',
  measure: async (bench) => {
    const { seeded, profile, folder, stack } = bench;
    const receiver = stack.use(await startReceiverProcess(folder));
    const service = stack.use(await startRunward({ ...bench, mode: 'local' }));
    const client = clientOf(service.url, seeded.apiKey);
    const [subscribed, others] = [await createForms(client), await createForms(client)];
    // The webhook of all templates would call nobody.
    await disableWebhooks(bench);
    const { id } = await client.webhooks.create({
      name: 'Subscriber',
      url: receiver.url,
      enabledEvents: ['run.started', 'task.completed', 'run.completed'],
      templateMode: 'SELECTED_TEMPLATES',
      templateIds: [subscribed.templateId],
    });
    stack.defer(() => client.webhooks.delete(id));
    const comparison = await compare(
      bench,
      { service, baseline: service },
      {
        name: `run of ${tasks} forms, with a subscriber and without`,
        unit: 'runs/s',
        aim: 0.87,
        job: (to, phase, _round, side) => ({
          kind: 'runs',
          url: to,
          headers: headersOf(seeded),
          ...(side === 'service' ? subscribed : others),
          runs: Math.ceil((phase === 'warm-up' ? profile.warmUpFlows : profile.flows) / tasks),
          forms: 'one call',
        }),
      },
    );
    return { comparisons: [comparison] };
  },
};
