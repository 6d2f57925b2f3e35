/** What a table may do during a steady load. */
export type TablePlan =
  /** It grows with the requests of the clients. `keptFor`: until a job deletes its rows; for good by default. */
  | { readonly growsWith: string; readonly keptFor?: string }
  /** It never has more rows than this, whatever the clients do. */
  | { readonly most: number };

const byRuns = { growsWith: 'runs' };
const byMembers = { growsWith: 'members and form links' };
const bySetup = { most: 20 };

/** Every table of the service, of its counters and of the scheduler. A unit test compares it with the entities. */
export const tablePlan: Readonly<Record<string, TablePlan>> = {
  runs: byRuns,
  run_tasks: byRuns,
  task_approvers: byRuns,
  entries: byRuns,
  field_values: byRuns,
  entry_completion_keys: byRuns,
  searchable_values: byRuns,
  run_comments: byRuns,
  activity: { growsWith: 'changes of runs' },
  files: { growsWith: 'uploads' },
  events: { growsWith: 'changes of runs', keptFor: '30 days' },
  webhook_deliveries: { growsWith: 'events', keptFor: '30 days' },
  notifications: { growsWith: 'events', keptFor: '30 days' },
  mails: { growsWith: 'notifications', keptFor: '30 days' },
  idempotency_keys: { growsWith: 'writes', keptFor: '24 hours' },
  data_source_rows: { growsWith: 'bulk requests' },
  data_source_row_changes: { growsWith: 'bulk requests' },
  users: byMembers,
  grants: byMembers,
  form_links: byMembers,
  password_links: byMembers,
  sessions: { growsWith: 'sign-ins', keptFor: 'the lifetime of a session' },
  api_keys: { growsWith: 'new keys' },
  folders: { growsWith: 'requests with these keys' },
  audit_lines: { growsWith: 'administrative changes', keptFor: 'the time of the plan' },
  template_versions: { growsWith: 'publications' },
  // Changes that were not added up yet: the job runs every 10 s.
  run_counter_changes: { most: 2_000 },
  // One row per template, status and archived.
  run_counters: { most: 200 },
  // One row per template that was published.
  rule_syncs: bySetup,
  templates: bySetup,
  organizations: bySetup,
  organization_moves: bySetup,
  groups: bySetup,
  group_members: bySetup,
  audit_heads: bySetup,
  notification_cursors: bySetup,
  notification_preferences: bySetup,
  event_feeds: bySetup,
  webhooks: bySetup,
  data_sources: bySetup,
  data_source_columns: bySetup,
  data_source_links: bySetup,
  portals: bySetup,
  portal_pages: bySetup,
  portal_access_rules: bySetup,
  report_presets: bySetup,
  searchable_fields: bySetup,
  template_assets: bySetup,
  template_shares: bySetup,
  saved_views: bySetup,
  identities: bySetup,
  passkeys: bySetup,
  spent_tokens: bySetup,
  // The library deletes what has expired an hour ago.
  rate_limits: { growsWith: 'keys, sessions and addresses', keptFor: '1 hour' },
  // One row per job.
  agenda_jobs: { most: 40 },
};
