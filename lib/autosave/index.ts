/**
 * Records that are saved while they are edited.
 *
 * @module
 */

export { autosave } from './autosave';
export type { Autosave, AutosaveOptions, AutosaveState } from './autosave';
