import { z } from 'zod';
import { component } from './component.ts';
import { id } from './values.ts';

const actorType = z.enum(['API_KEY', 'USER', 'SYSTEM']).meta({ id: 'ActorType', description: 'The kind of an actor.' });

/** Who or what caused a change. */
export const actor = component('ActivityActor', 'Who or what caused it.', {
  type: actorType.meta({ description: 'SYSTEM: the service itself, such as a deadline that passed.' }),
  userId: id.nullable().meta({ description: 'The member, or the creator of the API key; null for SYSTEM.' }),
  apiKeyId: id.nullable().meta({ description: 'The API key; null unless the type is API_KEY.' }),
});
