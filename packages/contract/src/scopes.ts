/** The scopes an API key can hold (spec: Authentication, Scopes). */
export const scopes = [
  'runs:read',
  'runs:write',
  'runs:execute',
  'templates:read',
  'templates:write',
  'templates:publish',
  'files:read',
  'files:write',
  'data-sources:read',
  'data-sources:write',
  'users:read',
  'webhooks:manage',
] as const;

/** One permission of an API key, for example `runs:read`. */
export type Scope = (typeof scopes)[number];

/** How far an API key reaches (spec: Resource mode). */
export const resourceModes = ['ALL', 'SELECTED_TEMPLATES', 'SELECTED_FOLDERS'] as const;

/** `ALL`, or only the templates (or folders of templates) the key lists. */
export type ResourceMode = (typeof resourceModes)[number];
