import { config } from 'rxjs';
import { vi } from 'vitest';

/** Runs something, and all timers that it has set; returns what RxJS has reported as unhandled errors. */
export function unhandledOf(run: () => void): unknown[] {
  const unhandled: unknown[] = [];
  const { onUnhandledError } = config;
  vi.useFakeTimers();
  config.onUnhandledError = (error) => {
    unhandled.push(error);
  };
  try {
    run();
    vi.runAllTimers();
  } finally {
    vi.useRealTimers();
    config.onUnhandledError = onUnhandledError;
  }
  return unhandled;
}
