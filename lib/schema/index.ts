/**
 * Records and lists whose data follow a schema of any library (Standard Schema): their fields and types, checked answers,
 * checked saves.
 *
 * @module
 */

// Records and collections with a schema
export { defineRecord } from './define-record';
export type { RecordConfig, SchemaRecord } from './define-record';
export { whole } from './fields';
export type { FieldsOf, InitialOf, Whole } from './fields';
export { listOf } from './list-of';
export type { ListConfig } from './list-of';

// Records written by hand
export { conforms } from './conforms';
export { validateSaves } from './validate-saves';

// What is wrong
export { errorsOf } from './errors';
export type { Errors } from './errors';
export { SchemaError } from './schema-error';
export type { SchemaIssue } from './standard';

// Schemas of any library
export type { InputOf, OutputOf, SchemaResult, StandardIssue, StandardSchema } from './standard';
