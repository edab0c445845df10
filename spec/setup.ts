import { afterEach, vi } from 'vitest';

// Files share a process, so what a spec has replaced in it is restored for those that follow.
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
