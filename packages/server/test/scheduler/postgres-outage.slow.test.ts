import test from 'ava';
import { openPostgresStore } from '../support/scheduler/job-stores.ts';
import { schedulerOutageSuite } from '../support/scheduler/outage-suite.ts';

schedulerOutageSuite(test, 'PostgreSQL', openPostgresStore);
