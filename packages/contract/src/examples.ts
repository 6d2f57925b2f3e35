import analytics from './analytics/examples.json' with { type: 'json' };
import dataSources from './data-sources/examples.json' with { type: 'json' };
import files from './files/examples.json' with { type: 'json' };
import http from './http/examples.json' with { type: 'json' };
import organization from './organization/examples.json' with { type: 'json' };
import portals from './portals/examples.json' with { type: 'json' };
import runs from './runs/examples.json' with { type: 'json' };
import templates from './templates/examples.json' with { type: 'json' };
import webhooks from './webhooks/examples.json' with { type: 'json' };

/** What an endpoint is sent and returns, as JSON. Files and empty bodies are left out. */
export interface EndpointExample {
  readonly request?: unknown;
  readonly response?: unknown;
}

/**
 * An example of each endpoint with a JSON body, by name, like `runs.get`, and of the delivery of each event, like `event.run.started`.
 * `npm run examples` records them.
 */
export const examples: Readonly<Record<string, EndpointExample>> = {
  ...analytics,
  ...dataSources,
  ...files,
  ...http,
  ...organization,
  ...portals,
  ...runs,
  ...templates,
  ...webhooks,
};
