import type { CheckMessage, REMEDIES } from '#lib/messages/migration/checks.ts';
import type { RequestField } from './request.ts';

/** Result of one check before a burn is built. */
export interface Check {
	id: string;
	result: 'ok' | 'warn' | 'fail';
	/** What was found. */
	message: CheckMessage;
	/** The form field that it belongs to. */
	field?: RequestField;
	/** Link where the user can solve the problem. */
	remedy?: { code: keyof typeof REMEDIES; href: string };
}

export type AddCheck = (
	result: Check['result'],
	id: string,
	message: CheckMessage,
	field?: Check['field']
) => void;

/** Creates a failed check. */
export const refusal = (message: CheckMessage, id = 'burn'): Check => ({
	id,
	result: 'fail',
	message
});
