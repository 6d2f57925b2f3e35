import test from 'ava';
import { schedulerOutageSuite } from '../support/scheduler/outage-suite.ts';
import { openPostgresStore } from '../support/scheduler/job-stores.ts';

schedulerOutageSuite(test, 'PostgreSQL', openPostgresStore);
