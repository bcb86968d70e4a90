import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in hex; stored in place of session ids and tokens. */
export function sha256Hex(text: string): string {
	return hash('sha256', text, 'hex');
}
