import { compare } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { headersOf } from '../harness/profile.ts';
import { clientOf } from '../seed/file-target.ts';
import { withClient } from '../seed/organization.ts';
import { createForms, tasks } from './forms.ts';

/** What runs of ten forms cost while a webhook gets their events. The baseline is the same runs without a webhook. */
export const subscriber: Part = {
  name: 'subscriber',
  needs: 'service',
  measure: async (bench) => {
    const { service, seeded, profile, databaseUrl, stack } = bench;
    const client = clientOf(service.url, seeded.apiKey);
    const [subscribed, others] = [await createForms(client), await createForms(client)];
    const subscribeTo = (mode: string, templateIds: readonly string[]) =>
      withClient(databaseUrl, (own) =>
        own.query('update webhooks set template_mode = $1, template_ids = $2', [mode, templateIds]),
      );
    await subscribeTo('SELECTED_TEMPLATES', [subscribed.templateId]);
    stack.defer(async () => void (await subscribeTo('ALL_FLOWS', [])));
    const comparison = await compare(
      bench,
      { service, baseline: service },
      {
        name: `run of ${tasks} forms, with a webhook and without`,
        unit: 'runs/s',
        aim: 0.87,
        job: (url, phase, _round, side) => ({
          kind: 'runs',
          url,
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
