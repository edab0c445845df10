import type { Interceptor } from 'rivulet';

/**
 * Lets Angular answer no read from the page as it was rendered, once anything was written: until the application is stable, that
 * would bring back what was there before a save, and hide the newer version of a conflict.
 */
export function freshAfterWrites(): Interceptor {
  let hasWritten = false;
  return (request, next, { action }) => {
    hasWritten ||= action !== 'read';
    // An option of HttpClient.
    return next({ ...request, ...(hasWritten && { transferCache: false }) });
  };
}
