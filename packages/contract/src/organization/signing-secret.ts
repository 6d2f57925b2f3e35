import { z } from 'zod';
import { component } from '../component.ts';
import { integer } from '../values.ts';

/** A secret that signs webhook deliveries. The previous secret also signs them until `previousExpiresAt`. */
export const signingSecret = component('SigningSecret', 'A secret that signs webhook deliveries.', {
  secret: z.string().describe('Signs deliveries.'),
  previousSecret: z.string().nullable().describe('null unless a rotation overlaps.'),
  previousExpiresAt: z.iso.datetime().nullable().describe('End of the overlap.'),
});

/** How a signing secret is rotated. */
export const rotation = component('RotateSigningSecret', 'Options of the rotation.', {
  overlapHours: integer(0, 168).optional().meta({
    description:
      'Hours during which the previous secret stays valid, 0 to 168. Default: 24. 0 invalidates it immediately.',
    default: 24,
  }),
}).optional();
