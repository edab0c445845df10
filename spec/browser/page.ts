// The script of all pages and workers under test.
import { Listener } from './listener';
import { Probe } from './probe';

Object.assign(globalThis, { probe: new Probe(), Listener });
