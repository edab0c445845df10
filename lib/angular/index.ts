/**
 * What an Angular application adds: a root per injector that sends through `HttpClient`, records that end with their
 * component, signals, and forms.
 *
 * @module
 */

// The root of an injector
export { injectRivulet, provideRivulet, withFetch } from './root';
export type { RivuletFeature } from './root';
export type { ContextOptions } from './context';

// Records and collections that end with their component
export { injectCollection, injectRecord } from './inject';
export type { Disposable } from './inject';

// Signals
export { toSignals, toWritableSignal } from './signals';
export type { RecordSignals } from './signals';
export { linkId } from './link-id';

// Forms
export { bindControl } from './bind-control';
export type { Control } from './bind-control';
export { formModel } from './form-model';
export { saveForm } from './save-form';
export type { FormError } from './save-form';
