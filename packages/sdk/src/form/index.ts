// `@runward/sdk/form`: reads the form of a task, and parses texts for its fields. It is separate from the client, which
// does not need it.
export { takenBy } from './field-types.ts';
export { findField, loadForm, refreshForm, visibleFields, type Form } from './form.ts';
export { parseValue, readValue } from './read-value.ts';
