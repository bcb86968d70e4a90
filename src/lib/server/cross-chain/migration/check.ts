import type { CheckMessage, REMEDIES } from '#lib/messages/migration/checks.ts';
import type { RequestField } from './request.ts';

/** One thing that was looked at before a burn is built. */
export interface Check {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	/** What was found. */
	message: CheckMessage;
	/** The field of the form that it belongs to. */
	field?: RequestField;
	/** Where the person can do what is missing. */
	remedy?: { code: keyof typeof REMEDIES; href: string };
}

export type AddCheck = (
	result: Check['result'],
	id: string,
	message: CheckMessage,
	field?: Check['field']
) => void;

/** A check that failed. */
export const refusal = (message: CheckMessage, id = 'burn'): Check => ({
	id,
	result: 'fail',
	message
});
