import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * How far a move is. In the cell that an organization leaves: COPYING: nothing is different yet. DRAINING: jobs leave
 * the organization alone, and requests that write announce themselves. STOPPED: nothing is written. MOVED: the other
 * cell serves it. In the cell it moves to: ARRIVING, until that serves it.
 */
export const moveSteps = ['COPYING', 'DRAINING', 'STOPPED', 'MOVED', 'ARRIVING'] as const;

/** A step of a move. */
export type MoveStep = (typeof moveSteps)[number];

/** An organization that is being moved to or from another cell, the schema `otherSchema` (decision 0100). */
export const OrganizationMove = defineEntity({
  name: 'OrganizationMove',
  tableName: 'organization_moves',
  properties: {
    organizationId: references('organizations').primary(),
    otherSchema: p.text(),
    step: p.enum(moveSteps),
    stepAt: p.datetime(),
  },
});

/** A row of `organization_moves`. */
export type OrganizationMove = InferEntity<typeof OrganizationMove>;
