// The script of every page and worker under test.
import { Probe } from './probe';

Object.assign(globalThis, { probe: new Probe() });
