import { afterEach, vi } from 'vitest';

// Files share a process, and what a spec has replaced in it must be as before for all that come after.
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
