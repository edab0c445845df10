// The script of all pages and workers under test.
import { Probe } from './probe';

Object.assign(globalThis, { probe: new Probe() });
