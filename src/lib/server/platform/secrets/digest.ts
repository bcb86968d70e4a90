import { hash } from 'node:crypto';

/** SHA-256 of a text, hex: what is stored in place of a session id or a token. */
export function sha256Hex(text: string): string {
	return hash('sha256', text, 'hex');
}
