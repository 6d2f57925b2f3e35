import { z } from 'zod';
import { component } from './component.ts';
import { id } from './values.ts';

const actorType = z.enum(['API_KEY', 'USER', 'SYSTEM']).meta({ id: 'ActorType', description: 'The kind of an actor.' });

/** Who or what caused a change. */
export const actor = component('ActivityActor', 'Who or what caused it.', {
  type: actorType.describe('SYSTEM: the service itself, such as a deadline that passed.'),
  userId: id.nullable().describe('The member, or the creator of the API key; null for SYSTEM.'),
  apiKeyId: id.nullable().describe('The API key; null unless the type is API_KEY.'),
});
