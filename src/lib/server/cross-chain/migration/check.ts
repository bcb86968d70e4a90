import type { RequestField } from './request.ts';

/** One thing that was looked at before a burn is built. */
export interface Check {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	sentence: string;
	/** The field of the form that the sentence belongs to. */
	field?: RequestField;
	/** Where the person can do what is missing. */
	remedy?: { href: string; label: string };
}

export type AddCheck = (
	result: Check['result'],
	id: string,
	sentence: string,
	field?: Check['field']
) => void;

/** A check that failed. */
export const refusal = (sentence: string, id = 'burn'): Check => ({ id, result: 'fail', sentence });
