import { hash } from 'node:crypto';

/** Returns an entity tag that changes with the text. */
export const contentTag = (text: string): string =>
	`"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
