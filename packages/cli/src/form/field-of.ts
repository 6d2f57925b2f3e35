import type { Field } from '@runward/sdk';
import { isFindError } from '@runward/sdk/find';
import { findField, type Form } from '@runward/sdk/form';
import { usage } from '../errors.ts';

/**
 * Finds a field of a form by its key, label or ID.
 *
 * @throws CliError if no field fits or several do
 */
export function fieldOf(form: Form, text: string): Field {
  try {
    return findField(form, text);
  } catch (error) {
    throw isFindError(error) ? usage(...error.messages) : error;
  }
}
