import { z } from 'zod';
import { integer } from '../values.ts';

/** A secret that signs webhook deliveries. The previous secret also signs them until `previousExpiresAt`. */
export const signingSecret = z
  .strictObject({
    secret: z.string().meta({ description: 'Signs deliveries.' }),
    previousSecret: z.string().nullable().meta({ description: 'null unless a rotation overlaps.' }),
    previousExpiresAt: z.iso.datetime().nullable().meta({ description: 'End of the overlap.' }),
  })
  .meta({ id: 'SigningSecret', description: 'A secret that signs webhook deliveries.' });

/** How a signing secret is rotated. */
export const rotation = z
  .strictObject({
    overlapHours: integer(0, 168).optional().meta({
      description:
        'Hours during which the previous secret stays valid, 0 to 168. Default: 24. 0 invalidates it immediately.',
      default: 24,
    }),
  })
  .meta({ id: 'RotateSigningSecret', description: 'Options of the rotation.' })
  .optional();
