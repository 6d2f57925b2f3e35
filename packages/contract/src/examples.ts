import analytics from './analytics/examples.json' with { type: 'json' };
import auditLog from './audit-log/examples.json' with { type: 'json' };
import dataSources from './data-sources/examples.json' with { type: 'json' };
import files from './files/examples.json' with { type: 'json' };
import http from './http/examples.json' with { type: 'json' };
import notifications from './notifications/examples.json' with { type: 'json' };
import organization from './organization/examples.json' with { type: 'json' };
import portals from './portals/examples.json' with { type: 'json' };
import runs from './runs/examples.json' with { type: 'json' };
import templates from './templates/examples.json' with { type: 'json' };
import webhooks from './webhooks/examples.json' with { type: 'json' };

/** A request and its response as JSON, without files and empty bodies. */
export interface EndpointExample {
  readonly request?: unknown;
  readonly response?: unknown;
}

/**
 * Recorded examples by name: one per endpoint with a JSON body (`runs.get`), and one delivery per event
 * (`event.run.started`). `npm run examples` records them.
 */
export const examples: Readonly<Record<string, EndpointExample>> = {
  ...analytics,
  ...auditLog,
  ...dataSources,
  ...files,
  ...http,
  ...notifications,
  ...organization,
  ...portals,
  ...runs,
  ...templates,
  ...webhooks,
};
