export { etags } from './etags';
export { mergeConflicts } from './merge-conflicts';
export type { MergeConflictsOptions } from './merge-conflicts';
