/**
 * What a test needs of the world around an application: a server that answers when told to, and a clock that moves when told
 * to. They need no test framework, and work with all.
 *
 * @module
 */

export { TestClock } from './test-clock';
export { TestRequest } from './test-request';
export { TestServer } from './test-server';
export type { RequestMatch } from './test-server';
