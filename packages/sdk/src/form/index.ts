// `@runward/sdk/form`: the form of a task, and what a person means by a text for a field. It is apart from the client, which does not need it.
export { takenBy } from './field-types.ts';
export { findField, loadForm, refreshForm, visibleFields, type Form } from './form.ts';
export { parseValue, readValue } from './read-value.ts';
