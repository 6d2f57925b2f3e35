import type { Contract, Response } from '@runward/contract';

/** A portal as its readers get it. */
export type View = Response<Contract['portals']['view']>;

/** A part of a page with its live data. */
export type ShownBlock = NonNullable<View['pages'][number]['blocks']>[number];
